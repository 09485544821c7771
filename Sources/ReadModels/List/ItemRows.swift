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
  private var bottoms = RowTable<Int>()
  /// The order of the sections that were begun while this was looking, unless they grew too many.
  private(set) var orders = KnownOrders()

  /// How many items' and sections' places are kept from one transaction to the next.
  private static let orderLimit = 500_000

  init(_ statements: ListStatements, orderIndex: OrderIndex) {
    self.statements = statements
    self.orderIndex = orderIndex
  }

  // MARK: Sections

  func hasSection(_ section: Int) throws(ReadModelError) -> Bool {
    if bottoms.place(of: section) != nil { return true }
    guard try statements.swipe(of: section) != nil else { return false }
    try prepareOrder()
    bottoms.set(section, to: try statements.lastKey(in: section) ?? .min)
    return true
  }

  /// Takes in a section that was just added.
  func noteSection(_ section: Int) {
    bottoms.set(section, to: .min)
    orders.begin(section)
  }

  /// Whether a section that exists has no items.
  func isEmpty(_ section: Int) throws(ReadModelError) -> Bool {
    if orders.isKnown(section) { return orders.first(in: section) == nil }
    try prepareOrder()
    return try statements.lastKey(in: section) == nil
  }

  /// Lets go of an empty section that was just removed.
  func forgetSection(_ section: Int) { bottoms.remove(section) }

  /// Whether the section has no item below the key (nil: none at all), as far as that is known
  /// without a look.
  func isBottom(_ key: Int?, of section: Int) -> Bool {
    bottoms.place(of: section).map { key ?? .min >= bottoms[place: $0] } ?? false
  }

  // MARK: Items

  func item(_ id: Int) throws(ReadModelError) -> StoredItem? {
    try items.row(id) { id throws(ReadModelError) in try statements.item(id) }
  }

  func add(
    _ id: Int, _ text: String, at spot: ItemSpot
  ) throws(ReadModelError) {
    let item = StoredItem(section: spot.section, key: spot.key, completed: false, moved: 0)
    try statements.addItem(id, text, item)
    items.add(id, item)
    orders.insert(id, below: spot.anchor, in: spot.section)
    noteKey(spot.key, in: spot.section)
  }

  /// Puts an item that ``item(_:)`` gave as `present` elsewhere.
  func move(
    _ id: Int, _ present: StoredItem, to spot: ItemSpot, completed: Bool, at revision: Int
  ) {
    if let section = present.section { orders.remove(id, from: section) }
    orders.insert(id, below: spot.anchor, in: spot.section)
    items.change(
      id,
      to: StoredItem(
        section: spot.section, key: spot.key, completed: completed, moved: revision))
    noteKey(spot.key, in: spot.section)
  }

  /// Takes an item that ``item(_:)`` gave as `present` out of its section.
  func takeOut(_ id: Int, _ present: StoredItem) {
    guard let section = present.section else { return }
    orders.remove(id, from: section)
    var item = present
    item.section = nil
    items.change(id, to: item)
  }

  /// Changes an item's key where that changes no order.
  func setKey(of id: Int, to key: Int) throws(ReadModelError) {
    guard var item = try item(id) else { return }
    item.key = key
    items.change(id, to: item)
    if let section = item.section { noteKey(key, in: section) }
  }

  /// Removes an item that ``item(_:)`` gave as `present`.
  func remove(_ id: Int, _ present: StoredItem) throws(ReadModelError) {
    try statements.remove(id)
    items.remove(id)
    if let section = present.section { orders.remove(id, from: section) }
  }

  private func noteKey(_ key: Int, in section: Int) {
    guard let place = bottoms.place(of: section) else { return }
    bottoms[place: place] = max(bottoms[place: place], key)
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
    if bottoms.count + orders.count > Self.orderLimit { forgetSections() }
  }

  func discard() {
    orderIndex.discard()
    items.discard()
    forgetSections()
  }

  private func forgetSections() {
    bottoms.removeAll()
    orders.removeAll()
  }
}
