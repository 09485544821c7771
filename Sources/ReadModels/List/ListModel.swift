internal import Domain
internal import EventSourcing

/// The tables of the view `list`.
final class ListModel: ViewModel {
  static let schema = """
    CREATE TABLE lists (
      number INTEGER PRIMARY KEY, stream TEXT NOT NULL UNIQUE, revision INTEGER NOT NULL,
      last_section INTEGER NOT NULL, last_item INTEGER NOT NULL,
      open INTEGER NOT NULL, completed INTEGER NOT NULL, title TEXT);
    CREATE TABLE sections (
      id INTEGER PRIMARY KEY, list INTEGER, key INTEGER NOT NULL, header TEXT, footer TEXT,
      traits INTEGER NOT NULL, swipe TEXT NOT NULL, style TEXT, moved INTEGER NOT NULL);
    CREATE INDEX sections_order ON sections (list, key);
    CREATE TABLE items (
      id INTEGER PRIMARY KEY, section INTEGER, key INTEGER NOT NULL, completed INTEGER NOT NULL,
      moved INTEGER NOT NULL, text TEXT NOT NULL, movable INTEGER, repeat TEXT, due INTEGER);
    """ + RowSwipes.schema
  static let orderIndex = """
    CREATE INDEX items_order ON items (section, key) WHERE section IS NOT NULL
    """

  let heads = StreamHeads<ListHead>()
  let decoder = EventDecoder()
  var isTouched = false
  var failure: ReadModelError?

  let statements: ListStatements
  let rows: ItemRows
  private let swipes: RowSwipes

  init(connection: SQLiteConnection) throws(ReadModelError) {
    statements = try ListStatements(connection)
    swipes = try RowSwipes(connection)
    rows = ItemRows(
      statements, orderIndex: OrderIndex("items_order", Self.orderIndex, connection))
  }

  // MARK: Heads

  /// The list's head; a list that is not known yet gets one.
  func head(of event: EventView) throws(ReadModelError) -> ListHead {
    try heads.head(of: event) { stream throws(ReadModelError) in
      if let known = try statements.head(of: stream) { return known }
      return ListHead(stream: stream, number: try statements.addHead(of: stream))
    }
  }

  func flush() throws(ReadModelError) {
    try rows.write()
    rows.trim()
    try heads.flush { head throws(ReadModelError) in try statements.save(head) }
  }

  func makeOrderIndex() throws(ReadModelError) { try rows.makeOrderIndex() }

  func discard() {
    rows.discard()
    heads.discard()
  }

  // MARK: Items

  func addItem(
    _ item: Int, _ text: String, at place: ItemPlace, _ settings: ItemSettings,
    to head: ListHead
  ) throws(ReadModelError) {
    let id = try RowID.of(item, in: head.number)
    guard item > head.lastItem else { return }
    head.lastItem = item
    // The item above may be lost; a section that is, takes its items along.
    var spot = try spot(for: id, at: place, in: head)
    if spot == nil {
      let top = ItemPlace(section: place.section, after: nil)
      spot = try self.spot(for: id, at: top, in: head)
    }
    guard let spot else { return }
    try rows.add(id, text, at: spot)
    if settings != ItemSettings() { try statements.set(settings, of: id) }
    head.counts.count(1, completed: false)
  }

  func setText(of item: Int, _ text: String, in head: ListHead) throws(ReadModelError) {
    try statements.setText(of: try RowID.of(item, in: head.number), text)
  }

  func configure(
    _ item: Int, _ configuration: ItemConfiguration, in head: ListHead
  ) throws(ReadModelError) {
    let id = try RowID.of(item, in: head.number)
    guard let present = try statements.settings(of: id) else { return }
    try statements.set(configuration.applied(to: present), of: id)
  }

  /// Moves a visible item; `completed` is its new state, which must be new, or nil to keep it.
  func place(
    _ item: Int, at place: ItemPlace, completed: Bool?, in head: ListHead
  ) throws(ReadModelError) {
    let id = try RowID.of(item, in: head.number)
    guard let present = try rows.item(id), present.section != nil,
      completed != present.completed, let spot = try spot(for: id, at: place, in: head)
    else { return }
    let completed = completed ?? present.completed
    head.counts.count(-1, completed: present.completed)
    head.counts.count(1, completed: completed)
    rows.move(id, present, to: spot, completed: completed, at: head.revision)
  }

  func delete(_ item: Int, in head: ListHead) throws(ReadModelError) {
    let id = try RowID.of(item, in: head.number)
    guard let present = try rows.item(id), present.section != nil else { return }
    head.counts.count(-1, completed: present.completed)
    rows.takeOut(id, present)
  }

  func restore(_ item: Int, at place: ItemPlace, in head: ListHead) throws(ReadModelError) {
    let id = try RowID.of(item, in: head.number)
    guard let present = try rows.item(id), present.section == nil,
      let spot = try spot(for: id, at: place, in: head)
    else { return }
    head.counts.count(1, completed: present.completed)
    rows.move(id, present, to: spot, completed: present.completed, at: head.revision)
  }

  func purge(_ item: Int, from head: ListHead) throws(ReadModelError) {
    let id = try RowID.of(item, in: head.number)
    guard let present = try rows.item(id) else { return }
    if present.section != nil { head.counts.count(-1, completed: present.completed) }
    try rows.remove(id, present)
    try swipes.clear(id)
  }

  func configure(
    item: Int, _ configuration: SwipeConfiguration, in head: ListHead
  ) throws(ReadModelError) {
    let id = try RowID.of(item, in: head.number)
    if try rows.item(id) != nil { try swipes.configure(id, configuration) }
  }

  func clearSwipe(of item: Int, in head: ListHead) throws(ReadModelError) {
    try swipes.clear(try RowID.of(item, in: head.number))
  }

  /// The key for `item` at a place; nil where there is no such place.
  private func spot(
    for item: Int, at place: ItemPlace, in head: ListHead
  ) throws(ReadModelError) -> ItemSpot? {
    let section = try RowID.of(place.section.rawValue, in: head.number)
    guard try rows.hasSection(section) else { return nil }
    let anchor = try place.after.map { anchor throws(ReadModelError) in
      try RowID.of(anchor.rawValue, in: head.number)
    }
    if let anchor {
      guard anchor != item, try rows.item(anchor)?.section == section else { return nil }
    }
    let order = ItemOrder(
      rows, KeyedRows(statements: statements.itemKeys, scope: section), anchor: anchor)
    let key = try OrderKeys.place(item, below: anchor, in: order)
    return ItemSpot(section: section, anchor: anchor, key: key)
  }
}

/// Where an item's row is put.
struct ItemSpot {
  let section: Int
  /// The item above it; nil on top.
  let anchor: Int?
  let key: Int
}
