internal import Domain
internal import EventSourcing
internal import FastJSON

/// A section as the view shows it, without its items.
struct SectionRow {
  var section: Int
  var header: String?
  var footer: String?
  var traits: SectionTraits
  var swipe: SwipeSettings
  /// As JSON; nil where it asks for nothing.
  var style: [UInt8]?
  /// Whether an earlier page has shown some of its items.
  var isContinued = false
}

/// An item as the view shows it.
struct ItemRow {
  var item: Int
  var text: String
  var completed: Bool
  var settings: ItemSettings
  /// How its row is swiped, as far as that is not as its section's rows are.
  var swipe: SwipeConfiguration?
}

/// Rows to page through, in order, from wherever they are kept.
protocol ListRows {
  associatedtype Failure: Error

  mutating func nextSection() throws(Failure) -> SectionRow?

  /// The next item of the section that came last.
  mutating func nextItem() throws(Failure) -> ItemRow?

  /// Where to go on behind what came last.
  func cursor() -> PageCursor
}

/// Writes one page of a list as JSON.
struct ListPage {
  private let counts: ListCounts
  private let limit: Int
  private var writer = JSONWriter(capacity: 4096)
  private var itemCount = 0
  private var isEmpty = true

  private init(head: PageHead, title: String?, counts: ListCounts, limit: Int) {
    self.counts = counts
    self.limit = limit
    writer.beginObject()
    head.write(to: &writer)
    writer.key("title")
    writer.value(title)
    writer.key("sections")
    writer.beginArray()
  }

  /// Writes the page that `rows` begins with.
  static func write<Rows: ListRows>(
    head: PageHead, title: String?, counts: ListCounts, limit: Int, rows: inout Rows
  ) throws(Rows.Failure) -> WrittenPage {
    var page = ListPage(head: head, title: title, counts: counts, limit: limit)
    var last: PageCursor?
    while let section = try rows.nextSection() {
      guard try page.append(section, from: &rows, last: &last) else {
        return page.finish(cursor: last)
      }
    }
    return page.finish(cursor: nil)
  }

  /// A section is begun with its first item on this page; one without items is shown in its turn.
  ///
  /// - Returns: false where the page is full before the section's end.
  private mutating func append<Rows: ListRows>(
    _ section: SectionRow, from rows: inout Rows, last: inout PageCursor?
  ) throws(Rows.Failure) -> Bool {
    var pending: [UInt8]? = Self.opening(section)
    while let item = try rows.nextItem() {
      let text = Self.json(item, in: section)
      guard itemCount < limit, fits((pending?.count ?? 0) + text.count) else {
        if pending == nil { close() }
        return false
      }
      if let opening = pending { writer.raw(opening) }
      if pending != nil { writer.beginDocument() }
      pending = nil
      writer.raw(text)
      itemCount += 1
      isEmpty = false
      last = rows.cursor()
    }
    if let opening = pending {
      if section.isContinued { return true }
      guard fits(opening.count) else { return false }
      writer.raw(opening)
      isEmpty = false
      last = rows.cursor()
    }
    close()
    return true
  }

  private func fits(_ count: Int) -> Bool {
    isEmpty || writer.count + count <= PageRequest.byteLimit
  }

  /// Ends a section's items and the section.
  private mutating func close() {
    writer.endArray()
    writer.endObject()
  }

  private mutating func finish(cursor: PageCursor?) -> WrittenPage {
    writer.endArray()
    writer.key("counts")
    writer.beginObject()
    writer.key("open")
    writer.value(counts.open)
    writer.key("completed")
    writer.value(counts.completed)
    writer.endObject()
    writer.key("cursor")
    writer.value(cursor?.text)
    writer.endObject()
    return WrittenPage(json: writer.take(), isLast: cursor == nil)
  }

  /// A section up to its items.
  private static func opening(_ section: SectionRow) -> [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    writer.key("section")
    writer.value(section.section)
    writer.key("header")
    writer.value(section.header)
    writer.key("footer")
    writer.value(section.footer)
    writer.key("traits")
    section.traits.write(to: &writer)
    writer.key("swipe")
    section.swipe.write(to: &writer)
    if let style = section.style {
      writer.key("style")
      writer.raw(style)
    }
    writer.key("items")
    writer.beginArray()
    return writer.take()
  }

  private static func json(_ item: ItemRow, in section: SectionRow) -> [UInt8] {
    var writer = JSONWriter(capacity: item.text.utf8.count + 64)
    writer.beginObject()
    writer.key("item")
    writer.value(item.item)
    writer.key("text")
    writer.value(item.text)
    writer.key("completed")
    writer.value(item.completed)
    item.settings.writeView(to: &writer)
    if let own = item.swipe?.applied(to: section.swipe) {
      writer.key("swipe")
      own.write(to: &writer)
    }
    writer.endObject()
    return writer.take()
  }
}

extension ItemSettings {
  /// Writes what is not as usual, as members of an object that was begun.
  fileprivate func writeView(to writer: inout JSONWriter) {
    if !movable {
      writer.key("movable")
      writer.value(false)
    }
    if let repetition {
      writer.key("repeat")
      writer.value(repetition.rawValue)
    }
    if let due {
      writer.key("due")
      writer.value(due.description)
    }
  }
}
