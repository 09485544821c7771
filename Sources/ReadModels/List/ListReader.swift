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

  init(path: String) throws(ReadModelError) {
    reader = try ReadConnection(path: path)
    let connection = reader.connection
    findHead = try connection.prepare(ListHead.query)
    findSection = try connection.prepare("SELECT key FROM sections WHERE id = ?1")
    findItem = try connection.prepare("SELECT section, key, moved FROM items WHERE id = ?1")
    sections = try connection.prepare(
      """
      SELECT id, header, footer, traits, swipe, key FROM sections WHERE list = ?1 AND key >= ?2 \
      ORDER BY key
      """)
    items = try connection.prepare(
      """
      SELECT id, text, completed, key FROM items WHERE section = ?1 AND key > ?2 ORDER BY key
      """)
  }

  func close() { reader.connection.close() }

  func page(
    of stream: StreamID, _ request: PageRequest, cursor: PageCursor?
  ) throws(ReadModelError) -> [UInt8]? {
    try reader.snapshot { () throws(ReadModelError) -> [UInt8]? in
      guard let head = try ListHead.find(stream, with: findHead) else { return nil }
      var rows = StoredList(
        sections: sections, items: items, epoch: head.epoch, revision: head.revision,
        start: try start(cursor, in: head))
      sections.bind(1, head.number)
      sections.bind(2, rows.start?.sectionKey ?? .min)
      defer {
        sections.reset()
        items.reset()
      }
      return try ListPage.write(
        head: try reader.head(of: stream, revision: head.revision), title: head.title,
        counts: head.counts, limit: request.limit, rows: &rows)
    }
  }

  /// The cursor with the keys that its rows have now.
  private func start(
    _ cursor: PageCursor?, in head: ListHead
  ) throws(ReadModelError) -> PageCursor? {
    guard var cursor, cursor.epoch != head.epoch else { return cursor }
    let section = try RowID.of(cursor.section, in: head.number)
    findSection.bind(1, section)
    defer { findSection.reset() }
    if try findSection.step() { cursor.sectionKey = findSection.integer(0) }
    findItem.bind(1, try RowID.of(cursor.row, in: head.number))
    defer { findItem.reset() }
    if try findItem.step(), findItem.optionalInteger(0) == section,
      findItem.integer(2) <= cursor.revision || cursor.epoch == nil
    {
      cursor.key = findItem.integer(1)
    }
    return cursor
  }
}

private struct StoredList: ListRows {
  let sections: SQLiteStatement
  let items: SQLiteStatement
  let epoch: Int
  let revision: Int
  let start: PageCursor?
  /// The last item that came, 0 before a section's first.
  private var item = 0
  private var itemKey = 0

  init(
    sections: SQLiteStatement, items: SQLiteStatement, epoch: Int, revision: Int,
    start: PageCursor?
  ) {
    self.sections = sections
    self.items = items
    self.epoch = epoch
    self.revision = revision
    self.start = start
  }

  mutating func nextSection() throws(ReadModelError) -> SectionRow? {
    guard try sections.step() else { return nil }
    let number = RowID.number(sections.integer(0))
    var isContinued = false
    if let start, start.section == number {
      // A section without items was shown whole.
      if start.row == 0 { return try nextSection() }
      isContinued = true
    }
    items.reset()
    items.bind(1, sections.integer(0))
    items.bind(2, isContinued ? start?.key ?? .min : .min)
    (item, itemKey) = (0, 0)
    guard let swipe = try StoredSwipe.settings(sections.text(4)) else { return nil }
    return SectionRow(
      section: number, header: sections.optionalText(1), footer: sections.optionalText(2),
      traits: SectionTraits(bits: sections.integer(3)), swipe: swipe, isContinued: isContinued)
  }

  mutating func nextItem() throws(ReadModelError) -> ItemRow? {
    guard try items.step() else { return nil }
    item = RowID.number(items.integer(0))
    itemKey = items.integer(3)
    return ItemRow(item: item, text: items.text(1), completed: items.bool(2))
  }

  func cursor() -> PageCursor {
    PageCursor(
      epoch: epoch, revision: revision, section: RowID.number(sections.integer(0)),
      sectionKey: sections.integer(5), row: item, key: itemKey)
  }
}
