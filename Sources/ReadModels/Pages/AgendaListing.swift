internal import Domain
internal import EventSourcing
internal import FastJSON

/// Work as the view `agenda` shows it.
struct AgendaRow {
  let work: AgendaWork
  let mail: Int
  /// In microseconds since 1970.
  let due: Int
  /// The position of the event that called for it.
  let cause: Int
  /// Where a move goes.
  var target: String?

  /// What rows are sorted by.
  var place: (due: Int, work: Int, mail: Int) { (due, work.rawValue, mail) }
}

/// Writes one page of a mailbox's agenda as JSON.
struct AgendaListing {
  private let limit: Int
  private var writer = JSONWriter(capacity: 1024)
  private var rowCount = 0
  private var last: AgendaRow?
  private var cursor: PageCursor?

  /// - Parameter retention: in microseconds.
  init(head: PageHead, retention: Int?, limit: Int) {
    self.limit = limit
    writer.beginObject()
    // No revision: most of a mailbox's events are none of the agenda's business.
    writer.key("stream")
    writer.value(head.stream.description)
    writer.key("position")
    writer.value(head.position.rawValue)
    if let parked = head.parked {
      writer.key("parked")
      writer.value(parked.rawValue)
    }
    writer.key("retention")
    writer.value(
      retention.flatMap { TrashRetention(seconds: $0 / 1_000_000)?.description })
    writer.key("rows")
    writer.beginArray()
  }

  /// - Returns: false where the page is full; then the row is for the next page.
  mutating func append(_ row: AgendaRow) -> Bool {
    guard rowCount < limit else {
      cursor = last.map { Self.cursor(behind: $0) }
      return false
    }
    rowCount += 1
    last = row
    writer.beginObject()
    writer.key("mail")
    writer.value(row.mail)
    writer.key("work")
    writer.value(row.work.kind.rawValue)
    writer.key("due")
    writer.value(Timestamp(microseconds: Int64(row.due)).description)
    if let target = row.target {
      writer.key("to")
      writer.value(target)
    }
    writer.endObject()
    return true
  }

  mutating func finish() -> WrittenPage {
    writer.endArray()
    writer.key("cursor")
    writer.value(cursor?.text)
    writer.endObject()
    return WrittenPage(json: writer.take(), isLast: cursor == nil)
  }

  // MARK: Cursors

  /// A cursor holds the row's place itself, so it means the same whatever happened since.
  private static func cursor(behind row: AgendaRow) -> PageCursor {
    PageCursor(revision: 0, section: row.work.rawValue, row: row.mail, key: row.due)
  }

  /// Whether a row comes behind the place where a page ended.
  static func isBehind(_ cursor: PageCursor?, _ row: AgendaRow) -> Bool {
    guard let cursor, let due = cursor.key else { return true }
    return row.place > (due, cursor.section, cursor.row)
  }

  /// The `since` and mail that a page's rows of one kind come after.
  static func start(
    of work: AgendaWork, behind cursor: PageCursor?, delay: Int
  ) -> (since: Int, mail: Int) {
    guard let cursor, let due = cursor.key else { return (.min, .min) }
    let (since, isOverflow) = due.subtractingReportingOverflow(delay)
    if isOverflow { return (.min, .min) }
    if work.rawValue == cursor.section { return (since, cursor.row) }
    // At the same time, kinds come in the order of their numbers.
    return (since, work.rawValue < cursor.section ? .max : .min)
  }
}
