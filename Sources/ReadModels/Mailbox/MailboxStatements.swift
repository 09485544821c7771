internal import EventSourcing

/// The statements that change the view `mailbox`.
struct MailboxStatements {
  let insert: SQLiteStatement
  let setRead: SQLiteStatement
  let setFlag: SQLiteStatement
  let setTrashed: SQLiteStatement
  let delete: SQLiteStatement
  fileprivate let setPlace: SQLiteStatement
  fileprivate let setKey: SQLiteStatement
  fileprivate let keyOf: SQLiteStatement
  fileprivate let keyAbove: SQLiteStatement
  fileprivate let countKeys: SQLiteStatement
  fileprivate let rowsByKey: SQLiteStatement
  private let findHead: SQLiteStatement
  private let insertHead: SQLiteStatement
  private let updateHead: SQLiteStatement

  init(_ connection: SQLiteConnection) throws(ReadModelError) {
    insert = try connection.prepare(
      """
      INSERT INTO mails (id, mailbox, trashed, key, read, flag, moved, date, sender, subject, \
      message) VALUES (?1, ?2, ?3, ?4, ?5, ?6, 0, ?7, ?8, ?9, ?10)
      """)
    setRead = try connection.prepare(
      "UPDATE mails SET read = ?2 WHERE id = ?1 AND read <> ?2 RETURNING trashed")
    setFlag = try connection.prepare(
      "UPDATE mails SET flag = ?2 WHERE id = ?1 AND flag <> ?2 RETURNING trashed")
    setTrashed = try connection.prepare(
      "UPDATE mails SET trashed = ?2 WHERE id = ?1 AND trashed <> ?2 RETURNING read, flag")
    delete = try connection.prepare(
      "DELETE FROM mails WHERE id = ?1 RETURNING read, flag, trashed")
    setPlace = try connection.prepare("UPDATE mails SET key = ?2, moved = ?3 WHERE id = ?1")
    setKey = try connection.prepare("UPDATE mails SET key = ?2 WHERE id = ?1")
    keyOf = try connection.prepare("SELECT key FROM mails WHERE id = ?1")
    keyAbove = try connection.prepare(
      """
      SELECT key FROM mails WHERE mailbox = ?1 AND trashed = ?2 AND key > ?3 AND id <> ?4 \
      ORDER BY key LIMIT 1
      """)
    countKeys = try connection.prepare(
      """
      SELECT count(*) FROM mails WHERE mailbox = ?1 AND trashed IN (0, 1) AND key BETWEEN ?2 AND ?3
      """)
    rowsByKey = try connection.prepare(
      """
      SELECT id FROM mails WHERE mailbox = ?1 AND trashed IN (0, 1) AND key BETWEEN ?2 AND ?3 \
      ORDER BY key
      """)
    findHead = try connection.prepare(MailboxHead.query)
    insertHead = try connection.prepare(
      """
      INSERT INTO mailboxes (stream, revision, last_mail, top, epoch, total, unread, flagged, trash) \
      VALUES (?1, 0, 0, 0, 0, 0, 0, 0, 0) RETURNING number
      """)
    updateHead = try connection.prepare(
      """
      UPDATE mailboxes SET revision = ?2, last_mail = ?3, top = ?4, epoch = ?5, total = ?6, \
      unread = ?7, flagged = ?8, trash = ?9, swipe = ?10 WHERE number = ?1
      """)
  }

  func head(of stream: StreamID) throws(ReadModelError) -> MailboxHead? {
    try MailboxHead.find(stream, with: findHead)
  }

  /// - Returns: the new mailbox's number.
  func addHead(of stream: StreamID) throws(ReadModelError) -> Int {
    insertHead.bind(1, stream.description)
    defer { insertHead.reset() }
    return try insertHead.step() ? insertHead.integer(0) : 0
  }

  func save(_ head: MailboxHead) throws(ReadModelError) {
    updateHead.bind(1, head.number)
    updateHead.bind(2, head.revision)
    updateHead.bind(3, head.lastMail)
    updateHead.bind(4, head.top)
    updateHead.bind(5, head.epoch)
    updateHead.bind(6, head.counts.total)
    updateHead.bind(7, head.counts.unread)
    updateHead.bind(8, head.counts.flagged)
    updateHead.bind(9, head.counts.trash)
    updateHead.bind(10, head.swipe)
    try updateHead.run()
  }

  /// Remembers the revision of the move, for cursors.
  func move(_ id: Int, to key: Int, at revision: Int) throws(ReadModelError) {
    setPlace.bind(1, id)
    setPlace.bind(2, key)
    setPlace.bind(3, revision)
    try setPlace.run()
  }
}

extension MailboxHead {
  /// Finds a head by its stream.
  static let query = """
    SELECT number, revision, last_mail, top, epoch, total, unread, flagged, trash, swipe \
    FROM mailboxes WHERE stream = ?1
    """

  static func find(
    _ stream: StreamID, with statement: SQLiteStatement
  ) throws(ReadModelError) -> MailboxHead? {
    statement.bind(1, stream.description)
    defer { statement.reset() }
    guard try statement.step() else { return nil }
    let head = MailboxHead(stream: stream, number: statement.integer(0))
    head.revision = statement.integer(1)
    head.lastMail = statement.integer(2)
    head.top = statement.integer(3)
    head.epoch = statement.integer(4)
    head.counts = MailboxCounts(
      total: statement.integer(5), unread: statement.integer(6), flagged: statement.integer(7),
      trash: statement.integer(8))
    head.swipe = statement.optionalText(9)
    return head
  }
}

/// The order of one mailbox's mails, those in the trash among the others.
struct MailOrder: OrderedRows {
  let statements: MailboxStatements
  let mailbox: Int

  func exists(_ row: Int) throws(ReadModelError) -> Bool {
    statements.keyOf.bind(1, row)
    defer { statements.keyOf.reset() }
    return try statements.keyOf.step()
  }

  func key(of row: Int) throws(ReadModelError) -> Int {
    statements.keyOf.bind(1, row)
    defer { statements.keyOf.reset() }
    return try statements.keyOf.step() ? statements.keyOf.integer(0) : 0
  }

  func firstKey(above key: Int?, excluding excluded: Int) throws(ReadModelError) -> Int? {
    let visible = try firstKey(above: key, excluding: excluded, trashed: false)
    guard let trashed = try firstKey(above: key, excluding: excluded, trashed: true) else {
      return visible
    }
    return min(trashed, visible ?? trashed)
  }

  /// One look into the index for each of its two parts.
  private func firstKey(
    above key: Int?, excluding excluded: Int, trashed: Bool
  ) throws(ReadModelError) -> Int? {
    let query = statements.keyAbove
    query.bind(1, mailbox)
    query.bind(2, trashed)
    query.bind(3, key ?? .min)
    query.bind(4, excluded)
    defer { query.reset() }
    return try query.step() ? query.integer(0) : nil
  }

  func count(in keys: ClosedRange<Int>) throws(ReadModelError) -> Int {
    bind(keys, to: statements.countKeys)
    defer { statements.countKeys.reset() }
    return try statements.countKeys.step() ? statements.countKeys.integer(0) : 0
  }

  func rows(in keys: ClosedRange<Int>) throws(ReadModelError) -> [Int] {
    bind(keys, to: statements.rowsByKey)
    defer { statements.rowsByKey.reset() }
    var rows: [Int] = []
    while try statements.rowsByKey.step() { rows.append(statements.rowsByKey.integer(0)) }
    return rows
  }

  private func bind(_ keys: ClosedRange<Int>, to statement: SQLiteStatement) {
    statement.bind(1, mailbox)
    statement.bind(2, keys.lowerBound)
    statement.bind(3, keys.upperBound)
  }

  func setKey(of row: Int, to key: Int) throws(ReadModelError) {
    statements.setKey.bind(1, row)
    statements.setKey.bind(2, key)
    try statements.setKey.run()
  }
}
