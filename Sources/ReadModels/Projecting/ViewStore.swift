internal import EventSourcing

/// One view's file with its checkpoint and its parked events, whatever tables the view has.
final class ViewStore {
  enum Use {
    /// Queries read the file while it is written.
    case serving
    /// Nobody reads it before it is finished, and a half-built file is thrown away.
    case building
    /// As `building`, with a journal: there are events that fail half-way.
    case buildingWithRollback

    var canRollBack: Bool { self != .building }
  }

  let connection: SQLiteConnection
  let use: Use
  /// How far the rows have come: as far as the file says, or further where no event concerned them.
  private(set) var position = GlobalPosition.start
  /// Streams with a parked event, whose later events park behind it.
  private(set) var parkedStreams: Set<StreamID> = []
  private(set) var parkedCount = 0

  /// The log id's bytes.
  private let log: [UInt8]
  private let setCheckpoint: SQLiteStatement
  private let insertParked: SQLiteStatement
  private let begin: SQLiteStatement
  private let commitStatement: SQLiteStatement
  private let emptyJournal: SQLiteStatement
  private var savedPosition = GlobalPosition.start
  private(set) var isInTransaction = false
  /// As it was when the transaction began.
  private var parkedBefore: (streams: Set<StreamID>, count: Int) = ([], 0)

  /// How many events that do not concern the rows may be looked at again after a crash.
  private static let unsavedLimit = 100_000

  /// SQLite's application id: "Swi", and the number of the form that the tables here have.
  private static let applicationID = 0x5377_6902

  private static let schema = """
    \(CheckpointRow.table)
    CREATE TABLE parked (position INTEGER PRIMARY KEY, stream TEXT NOT NULL,
      revision INTEGER NOT NULL, reason TEXT NOT NULL);
    CREATE INDEX parked_stream ON parked (stream, position);
    """

  /// Opens the file, or creates it.
  ///
  /// - Throws: an error with `isDamage` for a file that is not this version's view of this log.
  init(
    path: String, use: Use, version: UInt32, schema: String, store: any EventStore
  ) throws(ReadModelError) {
    let connection = try SQLiteConnection(path: path, mode: .readWrite)
    self.connection = connection
    self.use = use
    try Self.prepareFile(connection, use)
    try Self.createTables(connection, version: version, schema: schema, log: store.logID)
    log = store.logID.bytes
    setCheckpoint = try connection.prepare(CheckpointRow.update)
    insertParked = try connection.prepare(
      "INSERT INTO parked (position, stream, revision, reason) VALUES (?1, ?2, ?3, ?4)")
    begin = try connection.prepare("BEGIN IMMEDIATE")
    commitStatement = try connection.prepare("COMMIT")
    emptyJournal = try connection.prepare("PRAGMA wal_checkpoint(TRUNCATE)")
    position = try Self.checkedPosition(connection, store: store)
    savedPosition = position
    try loadParked()
  }

  private static func prepareFile(
    _ connection: SQLiteConnection, _ use: Use
  ) throws(ReadModelError) {
    switch use {
    case .serving:
      _ = try connection.text("PRAGMA journal_mode = WAL")
      // A checkpoint syncs, which the log's own syncs feel; so it is made of more than by default.
      try connection.execute("PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 4000")
      try connection.execute("PRAGMA temp_store = MEMORY; PRAGMA cache_size = -32768")
    case .building, .buildingWithRollback:
      let journal = use.canRollBack ? "MEMORY" : "OFF"
      _ = try connection.text("PRAGMA journal_mode = \(journal)")
      try connection.execute(
        """
        PRAGMA synchronous = OFF; PRAGMA locking_mode = EXCLUSIVE; PRAGMA temp_store = FILE;
        PRAGMA cache_size = -65536
        """)
    }
    // What was purged is overwritten, not only unlinked.
    _ = try connection.text("PRAGMA secure_delete = ON")
  }

  private static func createTables(
    _ connection: SQLiteConnection, version: UInt32, schema: String, log: LogID
  ) throws(ReadModelError) {
    if try connection.integer("SELECT count(*) FROM sqlite_schema") != 0 {
      guard try connection.integer("PRAGMA application_id") == applicationID,
        try connection.integer("PRAGMA user_version") == Int(version)
      else { throw .unusable("it is of another version") }
      return
    }
    try connection.execute("BEGIN IMMEDIATE")
    try connection.execute(Self.schema + schema)
    let insert = try connection.prepare(CheckpointRow.insert)
    CheckpointRow(log: log.bytes, position: 0).bind(to: insert)
    try insert.run()
    try connection.execute(
      "PRAGMA application_id = \(applicationID); PRAGMA user_version = \(version); COMMIT")
  }

  private static func checkedPosition(
    _ connection: SQLiteConnection, store: any EventStore
  ) throws(ReadModelError) -> GlobalPosition {
    let query = try connection.prepare(CheckpointRow.select)
    defer { query.reset() }
    guard try query.step(), let row = CheckpointRow(query) else {
      throw .unusable("its checkpoint is damaged")
    }
    guard row.log == store.logID.bytes else { throw .unusable("it is of another log") }
    let position = GlobalPosition(UInt64(clamping: row.position))
    guard position <= store.head else { throw .unusable("it is ahead of the log") }
    return position
  }

  private func loadParked() throws(ReadModelError) {
    parkedCount = try connection.integer("SELECT count(*) FROM parked") ?? 0
    let query = try connection.prepare("SELECT DISTINCT stream FROM parked")
    defer { query.reset() }
    while try query.step() {
      guard let stream = try? StreamID(query.text(0)) else {
        throw .unusable("it names no stream")
      }
      parkedStreams.insert(stream)
    }
  }

  // MARK: One transaction

  func beginTransaction() throws(ReadModelError) {
    parkedBefore = (parkedStreams, parkedCount)
    try begin.run()
    isInTransaction = true
  }

  /// Puts an event aside, and with it all that its stream brings later.
  func park(_ event: EventView, because reason: String) throws(ReadModelError) {
    insertParked.bind(1, Int(clamping: event.position.rawValue))
    let stream = event.streamID
    insertParked.bind(2, stream.description)
    insertParked.bind(3, Int(clamping: event.revision.rawValue))
    insertParked.bind(4, reason)
    try insertParked.run()
    parkedStreams.insert(stream)
    parkedCount += 1
  }

  /// Commits the rows together with how far they have come.
  func commit(at position: GlobalPosition) throws(ReadModelError) {
    CheckpointRow(log: log, position: Int(clamping: position.rawValue)).bind(to: setCheckpoint)
    try setCheckpoint.run()
    try commitStatement.run()
    isInTransaction = false
    self.position = position
    savedPosition = position
  }

  func rollBack() throws(ReadModelError) {
    if isInTransaction { (parkedStreams, parkedCount) = parkedBefore }
    isInTransaction = false
    try connection.rollBack()
  }

  /// Goes on to a position up to which no event concerned the rows. The file is told once in a
  /// while only: after a crash those events are looked at once more.
  func skip(to position: GlobalPosition) throws(ReadModelError) {
    self.position = position
    if savedPosition.advanced(by: Self.unsavedLimit) < position { try save() }
  }

  /// Sees to it that the file says how far the rows have come.
  func save() throws(ReadModelError) {
    guard savedPosition < position else { return }
    try beginTransaction()
    try commit(at: position)
  }

  /// Sees to it that no byte of deleted rows is left in the file and its journal.
  ///
  /// Deleted rows are overwritten with zeros anyway, but copies of rows that SQLite made when it
  /// split or joined pages are not; so the file is written anew. Readers go on meanwhile.
  func overwriteRemains() throws(ReadModelError) {
    // The copy that is made meanwhile may be as large as the view: not in memory.
    try connection.execute("PRAGMA temp_store = FILE; VACUUM; PRAGMA temp_store = MEMORY")
    defer { emptyJournal.reset() }
    guard try emptyJournal.step(), emptyJournal.integer(0) == 0 else {
      throw ReadModelError(
        code: 0, message: "a reader holds on to it", context: "empty a view's journal")
    }
  }

  /// A quick look over all pages.
  static func isSound(path: String) -> Bool {
    do throws(ReadModelError) {
      let connection = try SQLiteConnection(path: path, mode: .readWrite)
      defer { connection.close() }
      return try connection.text("PRAGMA quick_check(1)") == "ok"
    } catch {
      return !error.isDamage
    }
  }
}
