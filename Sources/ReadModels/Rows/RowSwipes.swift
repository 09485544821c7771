internal import Domain

/// The swipe settings that single rows have of their own: a table of its own, since few rows have.
final class RowSwipes {
  static let schema = """
    CREATE TABLE row_swipes (id INTEGER PRIMARY KEY, swipe TEXT NOT NULL);
    """

  private let store: SQLiteStatement
  private let delete: SQLiteStatement

  init(_ connection: SQLiteConnection) throws(ReadModelError) {
    store = try connection.prepare(
      """
      INSERT INTO row_swipes (id, swipe) VALUES (?1, ?2) \
      ON CONFLICT (id) DO UPDATE SET swipe = excluded.swipe
      """)
    delete = try connection.prepare("DELETE FROM row_swipes WHERE id = ?1")
  }

  /// Gives the row sides of its own in place of those that it has.
  func configure(_ id: Int, _ sides: SwipeConfiguration) throws(ReadModelError) {
    store.bind(1, id)
    store.bind(2, StoredSwipe.text(sides))
    try store.run()
  }

  func clear(_ id: Int) throws(ReadModelError) {
    delete.bind(1, id)
    try delete.run()
  }
}

/// Reads the swipe settings that single rows have of their own.
final class RowSwipeReader {
  private let find: SQLiteStatement
  private let findAny: SQLiteStatement
  private var isEmpty = true

  /// The first row of a stream that has any.
  static let anyQuery = "SELECT 1 FROM row_swipes WHERE id BETWEEN ?1 AND ?2 LIMIT 1"

  init(_ connection: SQLiteConnection) throws(ReadModelError) {
    find = try connection.prepare("SELECT swipe FROM row_swipes WHERE id = ?1")
    findAny = try connection.prepare(Self.anyQuery)
  }

  /// Looks whether the stream has any such rows: in most there is nothing to look for then.
  func begin(stream number: Int) throws(ReadModelError) {
    findAny.bind(1, try RowID.of(0, in: number))
    findAny.bind(2, try RowID.of(RowID.numbers.upperBound - 1, in: number))
    defer { findAny.reset() }
    isEmpty = try !findAny.step()
  }

  /// Nil where the row has none.
  func configuration(of id: Int) throws(ReadModelError) -> SwipeConfiguration? {
    if isEmpty { return nil }
    find.bind(1, id)
    defer { find.reset() }
    return try find.step() ? try StoredSwipe.configuration(find.text(0)) : nil
  }
}
