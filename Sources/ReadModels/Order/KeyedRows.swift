/// The statements by which ``KeyedRows`` sees one table.
final class KeyStatements {
  fileprivate let keyOf: SQLiteStatement
  fileprivate let keyAbove: SQLiteStatement
  fileprivate let countKeys: SQLiteStatement
  fileprivate let rowsByKey: SQLiteStatement
  fileprivate let setKey: SQLiteStatement

  /// - Parameter scope: the column that says which order a row is in; there is an index on it and
  ///   `key`.
  init(
    _ connection: SQLiteConnection, table: String, scope: String
  ) throws(ReadModelError) {
    keyOf = try connection.prepare("SELECT key FROM \(table) WHERE id = ?1")
    keyAbove = try connection.prepare(
      """
      SELECT key FROM \(table) WHERE \(scope) = ?1 AND key > ?2 AND id <> ?3 ORDER BY key LIMIT 1
      """)
    countKeys = try connection.prepare(
      """
      SELECT count(*) FROM \
      (SELECT 1 FROM \(table) WHERE \(scope) = ?1 AND key BETWEEN ?2 AND ?3 LIMIT ?4)
      """)
    rowsByKey = try connection.prepare(
      "SELECT id FROM \(table) WHERE \(scope) = ?1 AND key BETWEEN ?2 AND ?3 ORDER BY key")
    setKey = try connection.prepare("UPDATE \(table) SET key = ?2 WHERE id = ?1")
  }
}

/// One order inside a table.
struct KeyedRows: OrderedRows {
  let statements: KeyStatements
  /// What the rows of this order have in the scope column.
  let scope: Int

  /// Nil where there is no such row.
  func existingKey(of row: Int) throws(ReadModelError) -> Int? {
    statements.keyOf.bind(1, row)
    defer { statements.keyOf.reset() }
    return try statements.keyOf.step() ? statements.keyOf.integer(0) : nil
  }

  func key(of row: Int) throws(ReadModelError) -> Int { try existingKey(of: row) ?? 0 }

  func firstKey(above key: Int?, excluding excluded: Int) throws(ReadModelError) -> Int? {
    statements.keyAbove.bind(1, scope)
    statements.keyAbove.bind(2, key ?? .min)
    statements.keyAbove.bind(3, excluded)
    defer { statements.keyAbove.reset() }
    return try statements.keyAbove.step() ? statements.keyAbove.integer(0) : nil
  }

  func count(in keys: ClosedRange<Int>, upTo limit: Int) throws(ReadModelError) -> Int {
    bind(keys, to: statements.countKeys)
    statements.countKeys.bind(4, limit)
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
    statement.bind(1, scope)
    statement.bind(2, keys.lowerBound)
    statement.bind(3, keys.upperBound)
  }

  func setKey(of row: Int, to key: Int) throws(ReadModelError) {
    statements.setKey.bind(1, row)
    statements.setKey.bind(2, key)
    try statements.setKey.run()
  }
}
