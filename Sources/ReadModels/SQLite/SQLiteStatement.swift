internal import CSQLite

/// A prepared statement: bind, step, read columns, reset.
final class SQLiteStatement {
  private let statement: OpaquePointer
  /// The connection finalizes the statement, so it must outlive it.
  private let connection: SQLiteConnection
  /// The first failure to bind, reported by the next step.
  private var bindFailure: Int32 = SQLITE_OK

  /// Only the connection makes statements.
  init(_ statement: OpaquePointer, of connection: SQLiteConnection) {
    self.statement = statement
    self.connection = connection
  }

  // MARK: Parameters, counted from 1

  @inline(__always)
  func bind(_ index: Int32, _ value: Int) {
    note(sqlite3_bind_int64(statement, index, Int64(value)))
  }

  @inline(__always)
  func bind(_ index: Int32, _ value: Bool) { bind(index, value ? 1 : 0) }

  @inline(__always)
  func bind(_ index: Int32, _ value: Int?) {
    if let value { bind(index, value) } else { note(sqlite3_bind_null(statement, index)) }
  }

  func bind(_ index: Int32, _ value: String) {
    var value = value
    note(
      value.withUTF8 { utf8 in
        utf8.withMemoryRebound(to: CChar.self) { text in
          // An empty string has no base address, and a null pointer would bind NULL.
          text.baseAddress.map {
            swipestream_bind_text(statement, index, $0, Int32(clamping: text.count))
          } ?? swipestream_bind_text(statement, index, "", 0)
        }
      })
  }

  func bind(_ index: Int32, _ value: String?) {
    if let value { bind(index, value) } else { note(sqlite3_bind_null(statement, index)) }
  }

  func bind(_ index: Int32, blob: [UInt8]) {
    note(swipestream_bind_blob(statement, index, blob, Int32(clamping: blob.count)))
  }

  @inline(__always)
  private func note(_ code: Int32) {
    if code != SQLITE_OK, bindFailure == SQLITE_OK { bindFailure = code }
  }

  // MARK: Running

  /// Whether there is a row.
  @inline(__always)
  func step() throws(ReadModelError) -> Bool {
    guard bindFailure == SQLITE_OK else { throw failure(bindFailure) }
    switch sqlite3_step(statement) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    case let code: throw failure(code)
    }
  }

  @inline(__always)
  func reset() { sqlite3_reset(statement) }

  /// Runs the statement to its end, past whatever rows it gives.
  @inline(__always)
  func run() throws(ReadModelError) {
    while try step() {}
    reset()
  }

  /// As ``run()`` with a text as parameter `index`, which SQLite reads where it is.
  func run(lending text: String, as index: Int32) throws(ReadModelError) {
    try check(lend(text, as: index) { stepAndReset() })
  }

  /// As ``run()`` with three texts as the parameters from `index` on, read where they are.
  func run(
    lending first: String, _ second: String, _ third: String, from index: Int32
  ) throws(ReadModelError) {
    try check(
      lend(first, as: index) {
        lend(second, as: index + 1) { lend(third, as: index + 2) { stepAndReset() } }
      })
  }

  /// Binds the text for as long as `body` takes.
  private func lend(_ text: String, as index: Int32, _ body: () -> Int32) -> Int32 {
    var text = text
    return text.withUTF8 { utf8 in
      utf8.withMemoryRebound(to: CChar.self) { text in
        note(
          text.baseAddress.map {
            swipestream_bind_lent_text(statement, index, $0, Int32(clamping: text.count))
          } ?? swipestream_bind_lent_text(statement, index, "", 0))
        return body()
      }
    }
  }

  private func stepAndReset() -> Int32 {
    guard bindFailure == SQLITE_OK else { return bindFailure }
    defer { reset() }
    return sqlite3_step(statement)
  }

  private func check(_ code: Int32) throws(ReadModelError) {
    if code != SQLITE_DONE { throw failure(code) }
  }

  private func failure(_ code: Int32) -> ReadModelError {
    bindFailure = SQLITE_OK
    reset()
    return ReadModelError(
      sqlite: code, context: sqlite3_sql(statement).map { String(cString: $0) } ?? "")
  }

  // MARK: Columns, counted from 0

  @inline(__always)
  func integer(_ column: Int32) -> Int { Int(sqlite3_column_int64(statement, column)) }

  @inline(__always)
  func bool(_ column: Int32) -> Bool { integer(column) != 0 }

  func isNull(_ column: Int32) -> Bool {
    sqlite3_column_type(statement, column) == SQLITE_NULL
  }

  func optionalInteger(_ column: Int32) -> Int? { isNull(column) ? nil : integer(column) }

  /// The text, NUL characters included.
  func text(_ column: Int32) -> String {
    guard let bytes = sqlite3_column_text(statement, column) else { return "" }
    let count = Int(sqlite3_column_bytes(statement, column))
    return String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
  }

  func optionalText(_ column: Int32) -> String? { isNull(column) ? nil : text(column) }

  func blob(_ column: Int32) -> [UInt8] {
    guard let bytes = sqlite3_column_blob(statement, column) else { return [] }
    let count = Int(sqlite3_column_bytes(statement, column))
    return [UInt8](UnsafeRawBufferPointer(start: bytes, count: count))
  }
}
