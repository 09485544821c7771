internal import Domain
internal import EventSourcing

/// Answers queries to the view `list`.
final class ListReader: ViewReader {
  private let reader: ReadConnection
  private let findHead: SQLiteStatement
  private let findSection: SQLiteStatement
  private let findItem: SQLiteStatement
  private let sections: SQLiteStatement
  private let items: SQLiteStatement
  private let swipes: RowSwipeReader

  // These begin anywhere and stop when the page is full: its cost does not grow with the list.
  static let sectionQuery = """
    SELECT id, header, footer, traits, swipe, style FROM sections WHERE list = ?1 AND key >= ?2 \
    ORDER BY key
    """
  static let itemQuery = """
    SELECT id, text, completed, key, movable, repeat, due FROM items WHERE section = ?1 AND key > ?2 ORDER BY key
    """

  init(path: String) throws(ReadModelError) {
    reader = try ReadConnection(path: path)
    let connection = reader.connection
    findHead = try connection.prepare(ListHead.query)
    findSection = try connection.prepare(
      "SELECT key, moved FROM sections WHERE id = ?1 AND list IS NOT NULL")
    findItem = try connection.prepare("SELECT section, key, moved FROM items WHERE id = ?1")
    sections = try connection.prepare(Self.sectionQuery)
    items = try connection.prepare(Self.itemQuery)
    swipes = try RowSwipeReader(connection)
  }

  func close() { reader.connection.close() }

  func page(
    of stream: StreamID, _ request: PageRequest, cursor: PageCursor?,
    reflecting position: GlobalPosition
  ) throws(ReadModelError) -> PageAnswer {
    try reader.snapshot { () throws(ReadModelError) -> PageAnswer in
      guard let head = try ListHead.find(stream, with: findHead) else { return .unknownStream }
      var start: StoredList.Start?
      if let cursor {
        start = try find(cursor, in: head)
        if start == nil { return .invalidCursor }
      }
      sections.bind(1, head.number)
      sections.bind(2, start?.sectionKey ?? .min)
      defer {
        sections.reset()
        items.reset()
      }
      try swipes.begin(stream: head.number)
      var rows = StoredList(
        sections: sections, items: items, swipes: swipes, revision: head.revision, start: start)
      return .json(
        try ListPage.write(
          head: try reader.head(of: stream, revision: head.revision, reflecting: position),
          title: head.title,
          counts: head.counts, limit: request.limit, rows: &rows
        ).json)
    }
  }

  /// Where the cursor's rows are now; nil where nothing tells.
  private func find(
    _ cursor: PageCursor, in head: ListHead
  ) throws(ReadModelError) -> StoredList.Start? {
    let section = try RowID.of(cursor.section, in: head.number)
    findSection.bind(1, section)
    defer { findSection.reset() }
    // From where a section that was moved since has gone, no page can go on.
    guard try findSection.step(), findSection.integer(1) <= cursor.revision || cursor.key == nil
    else { return nil }
    var start = StoredList.Start(
      section: cursor.section, sectionKey: findSection.integer(0), itemKey: nil)
    if cursor.row == 0 { return start }
    findItem.bind(1, try RowID.of(cursor.row, in: head.number))
    defer { findItem.reset() }
    let isThere = try findItem.step() && findItem.optionalInteger(0) == section
    start.itemKey = cursor.place(
      presentKey: isThere ? findItem.integer(1) : nil, moved: isThere ? findItem.integer(2) : 0)
    return start.itemKey == nil ? nil : start
  }
}

private struct StoredList: ListRows {
  /// Where an earlier page ended.
  struct Start {
    let section: Int
    let sectionKey: Int
    /// Nil behind a section without items.
    var itemKey: Int?
  }

  let sections: SQLiteStatement
  let items: SQLiteStatement
  let swipes: RowSwipeReader
  let revision: Int
  let start: Start?
  /// The last item that came, 0 before a section's first.
  private var item = 0
  private var itemKey = 0

  init(
    sections: SQLiteStatement, items: SQLiteStatement, swipes: RowSwipeReader, revision: Int,
    start: Start?
  ) {
    self.sections = sections
    self.items = items
    self.swipes = swipes
    self.revision = revision
    self.start = start
  }

  mutating func nextSection() throws(ReadModelError) -> SectionRow? {
    guard try sections.step() else { return nil }
    let number = RowID.number(sections.integer(0))
    let isContinued = start?.section == number
    // A section without items was shown whole.
    if isContinued, start?.itemKey == nil { return try nextSection() }
    items.reset()
    items.bind(1, sections.integer(0))
    items.bind(2, isContinued ? start?.itemKey ?? .min : .min)
    (item, itemKey) = (0, 0)
    guard let swipe = try StoredSwipe.settings(sections.text(4)) else { return nil }
    return SectionRow(
      section: number, header: sections.optionalText(1), footer: sections.optionalText(2),
      traits: SectionTraits(bits: UInt8(truncatingIfNeeded: sections.integer(3))), swipe: swipe,
      style: sections.optionalText(5).map { Array($0.utf8) }, isContinued: isContinued)
  }

  mutating func nextItem() throws(ReadModelError) -> ItemRow? {
    guard try items.step() else { return nil }
    item = RowID.number(items.integer(0))
    itemKey = items.integer(3)
    return ItemRow(
      item: item, text: items.text(1), completed: items.bool(2),
      settings: ItemSettings(stored: items, from: 4),
      swipe: try swipes.configuration(of: items.integer(0)))
  }

  func cursor() -> PageCursor {
    PageCursor(
      revision: revision, section: RowID.number(sections.integer(0)), row: item, key: itemKey)
  }
}
