internal import CSQLite

/// One connection to a view's file. It belongs to one thread at a time.
final class SQLiteConnection {
  enum Mode {
    case readWrite
    /// Queries, beside a connection of this process that writes.
    case query
    /// Reading a file of which nobody else need know, as far as no other process uses it.
    case readOnly
    /// Reading a file that nobody writes, without a lock or a file beside it.
    case immutable

    fileprivate var flags: Int32 {
      switch self {
      case .readWrite: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
      case .query: SQLITE_OPEN_READWRITE
      case .readOnly: SQLITE_OPEN_READONLY
      case .immutable: SQLITE_OPEN_READONLY | SQLITE_OPEN_URI
      }
    }

    /// The views belong to one process, so their journal's index is on the heap. As a file that is
    /// mapped it would end the process where a full disk has no block for one of its pages.
    fileprivate var fileSystem: String? {
      switch self {
      case .readWrite, .query: "unix-excl"
      case .readOnly, .immutable: nil
      }
    }

    /// How long another connection of this process may take; another process is not waited for.
    fileprivate var busyMilliseconds: Int32 {
      switch self {
      case .readWrite, .query: 5000
      case .readOnly, .immutable: 0
      }
    }
  }

  /// Set once, before any connection; where it is refused, all works as well.
  private static let configuration = swipestream_sqlite_configure()

  private let database: OpaquePointer
  /// All that were ever prepared here: they live as long as the connection.
  private var statements: [OpaquePointer] = []
  private var isOpen = true

  init(path: String, mode: Mode) throws(ReadModelError) {
    _ = Self.configuration
    var opened: OpaquePointer?
    let name = mode == .immutable ? Self.immutable(path) : path
    let code = sqlite3_open_v2(
      name, &opened, mode.flags | SQLITE_OPEN_NOMUTEX, mode.fileSystem)
    guard code == SQLITE_OK, let opened else {
      sqlite3_close(opened)
      throw ReadModelError(sqlite: code, context: "open a view")
    }
    database = opened
    sqlite3_extended_result_codes(opened, 1)
    sqlite3_busy_timeout(opened, mode.busyMilliseconds)
    if mode == .query { try execute("PRAGMA query_only = ON") }
  }

  deinit { close() }

  /// The path as a URI: `%`, `?` and `#` mean something there.
  private static func immutable(_ path: String) -> String {
    var uri = "file:"
    for byte in path.utf8 {
      switch byte {
      case UInt8(ascii: "%"): uri += "%25"
      case UInt8(ascii: "?"): uri += "%3f"
      case UInt8(ascii: "#"): uri += "%23"
      default: uri.unicodeScalars.append(Unicode.Scalar(byte))
      }
    }
    return uri + "?immutable=1"
  }

  /// Finalizes every statement, none of which may be used again, and closes the file.
  func close() {
    guard isOpen else { return }
    isOpen = false
    for statement in statements { sqlite3_finalize(statement) }
    statements = []
    sqlite3_close(database)
  }

  /// A statement that is kept for the life of the connection.
  func prepare(_ sql: String) throws(ReadModelError) -> SQLiteStatement {
    var statement: OpaquePointer?
    let code = sqlite3_prepare_v3(
      database, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil)
    guard code == SQLITE_OK, let statement else {
      throw ReadModelError(sqlite: code, context: "prepare \(sql)")
    }
    statements.append(statement)
    return SQLiteStatement(statement, of: self)
  }

  /// Runs statements that give no rows.
  func execute(_ sql: String) throws(ReadModelError) {
    let code = sqlite3_exec(database, sql, nil, nil, nil)
    guard code == SQLITE_OK else { throw ReadModelError(sqlite: code, context: sql) }
  }

  /// The first column of the first row, nil where there is no row.
  func text(_ sql: String) throws(ReadModelError) -> String? {
    let statement = try prepare(sql)
    defer { statement.reset() }
    return try statement.step() ? statement.text(0) : nil
  }

  func integer(_ sql: String) throws(ReadModelError) -> Int? {
    let statement = try prepare(sql)
    defer { statement.reset() }
    return try statement.step() ? statement.integer(0) : nil
  }

  /// How many rows the last statement changed.
  var changes: Int { Int(sqlite3_changes64(database)) }

  /// Whether a transaction is open; SQLite ends one by itself on some errors.
  var isInTransaction: Bool { sqlite3_get_autocommit(database) == 0 }

  func rollBack() throws(ReadModelError) {
    if isInTransaction { try execute("ROLLBACK") }
  }
}

extension ReadModelError {
  init(sqlite code: Int32, context: String) {
    self.init(code: code, message: String(cString: sqlite3_errstr(code)), context: context)
  }

  /// Whether the file itself is broken, so that only building it anew helps.
  var isDamage: Bool {
    let primary = code & 0xFF
    return code > 0 && (primary == SQLITE_CORRUPT || primary == SQLITE_NOTADB)
  }

  /// Whether it was the row that could not be stored, not the file that could not be written.
  var isRowError: Bool {
    let primary = code & 0xFF
    return code > 0
      && [SQLITE_CONSTRAINT, SQLITE_MISMATCH, SQLITE_TOOBIG, SQLITE_RANGE].contains(primary)
  }

  /// A file that opens but is not this version's view of this log.
  static func unusable(_ reason: String) -> ReadModelError {
    ReadModelError(code: SQLITE_CORRUPT, message: reason, context: "check a view's file")
  }

  /// A file that is built without a journal cannot be taken back to an earlier state.
  static let needsRollback = ReadModelError(
    code: 0, message: "an event failed half-way", context: "build a view")

  /// A row that the model has no room for.
  static func outOfRange(_ what: String) -> ReadModelError {
    ReadModelError(code: SQLITE_RANGE, message: what, context: "store a row")
  }
}
