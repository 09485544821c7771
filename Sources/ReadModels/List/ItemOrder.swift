/// The order of one section's items, seen from the one that another is to be put below.
///
/// It is asked of memory where the section's order is known there, else of the file.
struct ItemOrder: OrderedRows {
  let rows: ItemRows
  /// The order as the file has it.
  let keys: KeyedRows
  /// An item of the section; nil to put one on top.
  let anchor: Int?
  private let isKnown: Bool

  init(_ rows: ItemRows, _ keys: KeyedRows, anchor: Int?) {
    self.rows = rows
    self.keys = keys
    self.anchor = anchor
    isKnown = rows.orders.isKnown(keys.scope)
  }

  func key(of row: Int) throws(ReadModelError) -> Int { try rows.item(row)?.key ?? 0 }

  /// - Parameter key: the anchor's.
  func firstKey(above key: Int?, excluding excluded: Int) throws(ReadModelError) -> Int? {
    if isKnown {
      var next = below(anchor)
      if next == excluded { next = below(excluded) }
      return try next.map { next throws(ReadModelError) in try self.key(of: next) }
    }
    if rows.isBottom(key, of: keys.scope) { return nil }
    try rows.prepareOrder()
    return try keys.firstKey(above: key, excluding: excluded)
  }

  /// - Parameter range: has the anchor's key.
  func count(in range: ClosedRange<Int>, upTo limit: Int) throws(ReadModelError) -> Int {
    if isKnown { return try known(in: range, upTo: limit).count }
    try rows.prepareOrder()
    return try keys.count(in: range, upTo: limit)
  }

  /// - Parameter range: has the anchor's key.
  func rows(in range: ClosedRange<Int>) throws(ReadModelError) -> [Int] {
    if isKnown { return try known(in: range, upTo: .max) }
    try rows.prepareOrder()
    return try keys.rows(in: range)
  }

  func setKey(of row: Int, to key: Int) throws(ReadModelError) {
    try rows.setKey(of: row, to: key)
  }

  private func below(_ row: Int?) -> Int? {
    if let row { rows.orders.below(row) } else { rows.orders.first(in: keys.scope) }
  }

  /// The items around the anchor, in order, until there are as many as `limit`.
  private func known(
    in range: ClosedRange<Int>, upTo limit: Int
  ) throws(ReadModelError) -> [Int] {
    var found: [Int] = []
    var next = anchor
    while let row = next, found.count < limit, range.contains(try key(of: row)) {
      found.append(row)
      next = rows.orders.above(row)
    }
    found.reverse()
    next = below(anchor)
    while let row = next, found.count < limit, range.contains(try key(of: row)) {
      found.append(row)
      next = rows.orders.below(row)
    }
    return found
  }
}
