internal import Domain
internal import EventSourcing

/// The statements that change the view `list`.
final class ListStatements {
  let sectionKeys: KeyStatements
  let itemKeys: KeyStatements
  private let findHead: SQLiteStatement
  private let insertHead: SQLiteStatement
  private let updateHead: SQLiteStatement
  private let insertSection: SQLiteStatement
  private let findSwipe: SQLiteStatement
  private let updateSwipe: SQLiteStatement
  private let updateTitles: SQLiteStatement
  private let updateTraits: SQLiteStatement
  private let updateStyle: SQLiteStatement
  private let placeSection: SQLiteStatement
  private let findRemoved: SQLiteStatement
  private let insertItem: SQLiteStatement
  private let findItem: SQLiteStatement
  private let updateText: SQLiteStatement
  private let updatePlace: SQLiteStatement
  private let findSettings: SQLiteStatement
  private let updateSettings: SQLiteStatement
  private let findLastKey: SQLiteStatement
  private let deleteItem: SQLiteStatement

  init(_ connection: SQLiteConnection) throws(ReadModelError) {
    sectionKeys = try KeyStatements(connection, table: "sections", scope: "list")
    itemKeys = try KeyStatements(connection, table: "items", scope: "section")
    findHead = try connection.prepare(ListHead.query)
    insertHead = try connection.prepare(
      """
      INSERT INTO lists (stream, revision, last_section, last_item, open, completed) \
      VALUES (?1, 0, 0, 0, 0, 0) RETURNING number
      """)
    updateHead = try connection.prepare(
      """
      UPDATE lists SET revision = ?2, last_section = ?3, last_item = ?4, open = ?5, \
      completed = ?6, title = ?7 WHERE number = ?1
      """)
    insertSection = try connection.prepare(
      """
      INSERT INTO sections (id, list, key, header, footer, traits, swipe, style, moved) \
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, 0)
      """)
    findSwipe = try connection.prepare(
      "SELECT swipe FROM sections WHERE id = ?1 AND list IS NOT NULL")
    findRemoved = try connection.prepare("SELECT 1 FROM sections WHERE id = ?1 AND list IS NULL")
    updateTitles = try connection.prepare(
      "UPDATE sections SET header = ?2, footer = ?3 WHERE id = ?1")
    updateTraits = try connection.prepare("UPDATE sections SET traits = ?2 WHERE id = ?1")
    updateStyle = try connection.prepare("UPDATE sections SET style = ?2 WHERE id = ?1")
    placeSection = try connection.prepare(
      "UPDATE sections SET list = ?2, key = ?3, moved = ?4 WHERE id = ?1")
    updateSwipe = try connection.prepare("UPDATE sections SET swipe = ?2 WHERE id = ?1")
    insertItem = try connection.prepare(
      """
      INSERT INTO items (id, section, key, completed, moved, text) VALUES (?1, ?2, ?3, 0, 0, ?4)
      """)
    findItem = try connection.prepare(
      "SELECT section, key, completed, moved FROM items WHERE id = ?1")
    updateText = try connection.prepare("UPDATE items SET text = ?2 WHERE id = ?1")
    findSettings = try connection.prepare(
      "SELECT movable, repeat, due FROM items WHERE id = ?1")
    updateSettings = try connection.prepare(
      "UPDATE items SET movable = ?2, repeat = ?3, due = ?4 WHERE id = ?1")
    updatePlace = try connection.prepare(
      "UPDATE items SET section = ?2, key = ?3, completed = ?4, moved = ?5 WHERE id = ?1")
    findLastKey = try connection.prepare("SELECT max(key) FROM items WHERE section = ?1")
    deleteItem = try connection.prepare("DELETE FROM items WHERE id = ?1")
  }

  // MARK: Heads

  func head(of stream: StreamID) throws(ReadModelError) -> ListHead? {
    try ListHead.find(stream, with: findHead)
  }

  /// - Returns: the new list's number.
  func addHead(of stream: StreamID) throws(ReadModelError) -> Int {
    insertHead.bind(1, stream.description)
    defer { insertHead.reset() }
    return try insertHead.step() ? insertHead.integer(0) : 0
  }

  func save(_ head: ListHead) throws(ReadModelError) {
    updateHead.bind(1, head.number)
    updateHead.bind(2, head.revision)
    updateHead.bind(3, head.lastSection)
    updateHead.bind(4, head.lastItem)
    updateHead.bind(5, head.counts.open)
    updateHead.bind(6, head.counts.completed)
    updateHead.bind(7, head.title)
    try updateHead.run()
  }

  // MARK: Sections

  func addSection(
    _ id: Int, _ content: SectionContent, list: Int, key: Int
  ) throws(ReadModelError) {
    insertSection.bind(1, id)
    insertSection.bind(2, list)
    insertSection.bind(3, key)
    insertSection.bind(4, content.header)
    insertSection.bind(5, content.footer)
    insertSection.bind(6, Int(content.traits.bits))
    insertSection.bind(7, StoredSwipe.text(content.swipe))
    insertSection.bind(8, content.style.stored)
    try insertSection.run()
  }

  /// Nil where there is no such section.
  func swipe(of id: Int) throws(ReadModelError) -> String? {
    findSwipe.bind(1, id)
    defer { findSwipe.reset() }
    return try findSwipe.step() ? findSwipe.text(0) : nil
  }

  func setSwipe(of id: Int, _ swipe: String) throws(ReadModelError) {
    updateSwipe.bind(1, id)
    updateSwipe.bind(2, swipe)
    try updateSwipe.run()
  }

  func setTitles(of id: Int, header: String?, footer: String?) throws(ReadModelError) {
    updateTitles.bind(1, id)
    updateTitles.bind(2, header)
    updateTitles.bind(3, footer)
    try updateTitles.run()
  }

  func setTraits(of id: Int, _ traits: SectionTraits) throws(ReadModelError) {
    updateTraits.bind(1, id)
    updateTraits.bind(2, Int(traits.bits))
    try updateTraits.run()
  }

  func setStyle(of id: Int, _ style: SectionStyle) throws(ReadModelError) {
    updateStyle.bind(1, id)
    updateStyle.bind(2, style.stored)
    try updateStyle.run()
  }

  /// - Parameter list: nil to take the section out.
  func place(_ id: Int, list: Int?, key: Int, moved: Int) throws(ReadModelError) {
    placeSection.bind(1, id)
    placeSection.bind(2, list)
    placeSection.bind(3, key)
    placeSection.bind(4, moved)
    try placeSection.run()
  }

  func isRemoved(_ id: Int) throws(ReadModelError) -> Bool {
    findRemoved.bind(1, id)
    defer { findRemoved.reset() }
    return try findRemoved.step()
  }

  // MARK: Items

  func addItem(_ id: Int, _ text: String, _ item: StoredItem) throws(ReadModelError) {
    insertItem.bind(1, id)
    insertItem.bind(2, item.section)
    insertItem.bind(3, item.key)
    try insertItem.run(lending: text, as: 4)
  }

  /// Nil where there is no such item.
  func item(_ id: Int) throws(ReadModelError) -> StoredItem? {
    findItem.bind(1, id)
    defer { findItem.reset() }
    guard try findItem.step() else { return nil }
    return StoredItem(
      section: findItem.optionalInteger(0), key: findItem.integer(1),
      completed: findItem.bool(2), moved: findItem.integer(3))
  }

  /// The largest key in a section; nil where it has no items.
  func lastKey(in section: Int) throws(ReadModelError) -> Int? {
    findLastKey.bind(1, section)
    defer { findLastKey.reset() }
    return try findLastKey.step() ? findLastKey.optionalInteger(0) : nil
  }

  func setText(of id: Int, _ text: String) throws(ReadModelError) {
    updateText.bind(1, id)
    try updateText.run(lending: text, as: 2)
  }

  /// Nil where there is no such item.
  func settings(of id: Int) throws(ReadModelError) -> ItemSettings? {
    findSettings.bind(1, id)
    defer { findSettings.reset() }
    return try findSettings.step() ? ItemSettings(stored: findSettings, from: 0) : nil
  }

  func set(_ settings: ItemSettings, of id: Int) throws(ReadModelError) {
    updateSettings.bind(1, id)
    updateSettings.bind(2, settings.movable ? nil : 0)
    updateSettings.bind(3, settings.repetition?.rawValue)
    updateSettings.bind(4, settings.due.map { Int($0.microseconds) })
    try updateSettings.run()
  }

  func set(_ id: Int, to item: StoredItem) throws(ReadModelError) {
    updatePlace.bind(1, id)
    updatePlace.bind(2, item.section)
    updatePlace.bind(3, item.key)
    updatePlace.bind(4, item.completed)
    updatePlace.bind(5, item.moved)
    try updatePlace.run()
  }

  func remove(_ id: Int) throws(ReadModelError) {
    deleteItem.bind(1, id)
    try deleteItem.run()
  }
}

extension ListHead {
  /// Finds a head by its stream.
  static let query = """
    SELECT number, revision, last_section, last_item, open, completed, title \
    FROM lists WHERE stream = ?1
    """

  static func find(
    _ stream: StreamID, with statement: SQLiteStatement
  ) throws(ReadModelError) -> ListHead? {
    statement.bind(1, stream.description)
    defer { statement.reset() }
    guard try statement.step() else { return nil }
    let head = ListHead(stream: stream, number: statement.integer(0))
    head.revision = statement.integer(1)
    head.lastSection = statement.integer(2)
    head.lastItem = statement.integer(3)
    head.counts = ListCounts(open: statement.integer(4), completed: statement.integer(5))
    head.title = statement.optionalText(6)
    return head
  }
}
