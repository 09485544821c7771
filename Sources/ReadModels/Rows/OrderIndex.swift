/// The index that a view's rows are found by in their order.
///
/// A file that is built has none at first: to make it of all rows costs less than to keep it up to
/// date for each. It is made when an order is first asked for, or in the end.
final class OrderIndex {
  private let name: String
  private let sql: String
  private let connection: SQLiteConnection
  private var isMade = false

  /// - Parameter sql: what makes it.
  init(_ name: String, _ sql: String, _ connection: SQLiteConnection) {
    self.name = name
    self.sql = sql
    self.connection = connection
  }

  func make() throws(ReadModelError) {
    if isMade { return }
    if try connection.integer("SELECT count(*) FROM sqlite_schema WHERE name = '\(name)'") == 0 {
      try connection.execute(sql)
    }
    isMade = true
  }

  /// What was made in a transaction that was rolled back is not there.
  func discard() { isMade = false }
}
