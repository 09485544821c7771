internal import Domain

/// An item's row, but for its text.
struct StoredItem: Equatable {
  /// The section's row; nil while the item is deleted.
  var section: Int?
  var key: Int
  var completed: Bool
  /// The revision of its last move, for cursors.
  var moved: Int
}

/// The items and sections of the lists that the latest events were about.
final class ItemRows {
  private let statements: ListStatements
  private let orderIndex: OrderIndex
  private var items = RowBuffer<StoredItem>()
  /// By section, a key that no item of it is below; of sections that exist only.
  private var bottoms: [Int: Int] = [:]

  /// How many sections are kept from one transaction to the next.
  private static let sectionLimit = 10_000

  init(_ statements: ListStatements, orderIndex: OrderIndex) {
    self.statements = statements
    self.orderIndex = orderIndex
  }

  // MARK: Sections

  func hasSection(_ section: Int) throws(ReadModelError) -> Bool {
    if bottoms[section] != nil { return true }
    guard try statements.swipe(of: section) != nil else { return false }
    try prepareOrder()
    bottoms[section] = try statements.lastKey(in: section) ?? .min
    return true
  }

  /// Takes in a section that was just added.
  func noteSection(_ section: Int) { bottoms[section] = .min }

  /// Whether the section has no item below the key (nil: none at all), as far as that is known
  /// without a look.
  func isBottom(_ key: Int?, of section: Int) -> Bool {
    bottoms[section].map { key ?? .min >= $0 } ?? false
  }

  // MARK: Items

  func item(_ id: Int) throws(ReadModelError) -> StoredItem? {
    try items.row(id) { id throws(ReadModelError) in try statements.item(id) }
  }

  func add(_ id: Int, _ text: String, _ item: StoredItem) throws(ReadModelError) {
    try statements.addItem(id, text, item)
    items.add(id, item)
    noteKey(of: item)
  }

  /// Changes an item that ``item(_:)`` gave.
  func change(_ id: Int, to item: StoredItem) {
    items.change(id, to: item)
    noteKey(of: item)
  }

  func remove(_ id: Int) throws(ReadModelError) {
    try statements.remove(id)
    items.remove(id)
  }

  private func noteKey(of item: StoredItem) {
    guard let section = item.section, let bottom = bottoms[section] else { return }
    bottoms[section] = max(bottom, item.key)
  }

  // MARK: The file

  /// Sees to it that the file can be asked for an order.
  func prepareOrder() throws(ReadModelError) {
    try write()
    try orderIndex.make()
  }

  func makeOrderIndex() throws(ReadModelError) { try orderIndex.make() }

  /// Writes what has changed.
  func write() throws(ReadModelError) {
    try items.write { id, item, _ throws(ReadModelError) in try statements.set(id, to: item) }
  }

  /// Bounds what is kept, between transactions.
  func trim() {
    items.trim()
    if bottoms.count > Self.sectionLimit { bottoms = [:] }
  }

  func discard() {
    orderIndex.discard()
    items.discard()
    bottoms = [:]
  }
}

/// The order of one section's items.
struct ItemOrder: OrderedRows {
  let rows: ItemRows
  /// The order as the file has it.
  let keys: KeyedRows

  func key(of row: Int) throws(ReadModelError) -> Int { try rows.item(row)?.key ?? 0 }

  func firstKey(above key: Int?, excluding excluded: Int) throws(ReadModelError) -> Int? {
    if rows.isBottom(key, of: keys.scope) { return nil }
    try rows.prepareOrder()
    return try keys.firstKey(above: key, excluding: excluded)
  }

  func count(in range: ClosedRange<Int>, upTo limit: Int) throws(ReadModelError) -> Int {
    try rows.prepareOrder()
    return try keys.count(in: range, upTo: limit)
  }

  func rows(in range: ClosedRange<Int>) throws(ReadModelError) -> [Int] {
    try rows.prepareOrder()
    return try keys.rows(in: range)
  }

  func setKey(of row: Int, to key: Int) throws(ReadModelError) {
    guard var item = try rows.item(row) else { return }
    item.key = key
    rows.change(row, to: item)
  }
}
