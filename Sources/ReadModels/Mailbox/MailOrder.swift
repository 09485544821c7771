/// The order of one mailbox's mails, whatever box they are in.
struct MailOrder: OrderedRows {
  let statements: MailboxStatements
  let mailbox: Int

  func key(of row: Int) throws(ReadModelError) -> Int {
    statements.keyOf.bind(1, row)
    defer { statements.keyOf.reset() }
    return try statements.keyOf.step() ? statements.keyOf.integer(0) : 0
  }

  func firstKey(above key: Int?, excluding excluded: Int) throws(ReadModelError) -> Int? {
    var first: Int?
    for group in RowGroup.numbers {
      guard let key = try firstKey(above: key, excluding: excluded, group: group) else { continue }
      first = min(key, first ?? key)
    }
    return first
  }

  /// One look into the index for each of its parts.
  private func firstKey(
    above key: Int?, excluding excluded: Int, group: Int
  ) throws(ReadModelError) -> Int? {
    let query = statements.keyAbove
    query.bind(1, mailbox)
    query.bind(2, group)
    query.bind(3, key ?? .min)
    query.bind(4, excluded)
    defer { query.reset() }
    return try query.step() ? query.integer(0) : nil
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
