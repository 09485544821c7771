internal import Domain
internal import EventSourcing
internal import FastJSON

/// A mail as the view shows it.
struct MailRow {
  var mail: Int
  var from: String
  var subject: String
  var message: String
  var date: Timestamp?
  var read: Bool
  var flag: Bool
  var pinned: Bool
  var muted: Bool
  /// In order.
  var labels: [String]
  var thread: Int
  var box: MailBox
  /// Until when it sleeps.
  var until: Timestamp?
  /// How its row is swiped, as far as that is not as all rows are.
  var swipe: SwipeConfiguration?
}

/// What a page says of its stream, whichever the view.
struct PageHead {
  let stream: StreamID
  let revision: Int
  /// The position that the page reflects.
  let position: GlobalPosition
  /// The stream's first event that could not be projected, where the view leaves it and what
  /// follows it out.
  var parked: GlobalPosition?

  func write(to writer: inout JSONWriter) {
    writer.key("stream")
    writer.value(stream.description)
    writer.key("revision")
    writer.value(revision)
    writer.key("position")
    writer.value(position.rawValue)
    guard let parked else { return }
    writer.key("parked")
    writer.value(parked.rawValue)
  }
}

/// Rows to page through, in order, from wherever they are kept.
protocol MailRows {
  associatedtype Failure: Error

  mutating func next() throws(Failure) -> MailRow?

  /// Where to go on behind the row that `next` gave last.
  func cursor() -> PageCursor
}

/// Writes one page of a mailbox as JSON.
struct MailboxPage {
  private let counts: MailboxCounts
  private let swipe: SwipeSettings
  private let limit: Int
  /// Whether rows say where they are.
  private let showsBoxes: Bool
  private var writer = JSONWriter(capacity: 4096)
  private var row = JSONWriter()
  private var rowCount = 0
  /// By state: the same for all rows in it.
  private var titles: [[UInt8]] = []

  private init(
    head: PageHead, counts: MailboxCounts, swipe: SwipeSettings, _ request: PageRequest
  ) {
    self.counts = counts
    self.swipe = swipe
    limit = request.limit
    showsBoxes = request.box != .inbox
    titles = [0, 1, 2, 3].map { Self.titles(swipe, read: $0 & 1 != 0, flag: $0 & 2 != 0) }
    writer.beginObject()
    head.write(to: &writer)
    writer.key("rows")
    writer.beginArray()
  }

  /// Writes the page that `rows` begins with.
  static func write<Rows: MailRows>(
    head: PageHead, counts: MailboxCounts, swipe: SwipeSettings, _ request: PageRequest,
    rows: inout Rows
  ) throws(Rows.Failure) -> WrittenPage {
    var page = MailboxPage(head: head, counts: counts, swipe: swipe, request)
    var last: PageCursor?
    while let row = try rows.next() {
      guard page.append(row) else { return page.finish(cursor: last) }
      last = rows.cursor()
    }
    return page.finish(cursor: nil)
  }

  /// - Returns: false where the page is full; then the row is for the next page.
  private mutating func append(_ mail: MailRow) -> Bool {
    guard rowCount < limit else { return false }
    row.removeAll()
    write(mail)
    guard rowCount == 0 || writer.count + row.count <= PageRequest.byteLimit else { return false }
    writer.raw(row.bytes)
    rowCount += 1
    return true
  }

  private mutating func finish(cursor: PageCursor?) -> WrittenPage {
    writer.endArray()
    writer.key("swipe")
    swipe.write(to: &writer)
    writer.key("counts")
    writer.beginObject()
    writer.key("total")
    writer.value(counts.total)
    writer.key("unread")
    writer.value(counts.unread)
    writer.key("flagged")
    writer.value(counts.flagged)
    writer.key("trash")
    writer.value(counts.trash)
    writer.key("archived")
    writer.value(counts.archived)
    writer.key("snoozed")
    writer.value(counts.snoozed)
    writer.endObject()
    writer.key("cursor")
    writer.value(cursor?.text)
    writer.endObject()
    return WrittenPage(json: writer.take(), isLast: cursor == nil)
  }

  private mutating func write(_ mail: MailRow) {
    row.beginObject()
    row.key("mail")
    row.value(mail.mail)
    row.key("from")
    row.value(mail.from)
    row.key("subject")
    row.value(mail.subject)
    row.key("message")
    row.value(mail.message)
    row.key("date")
    row.value(mail.date?.description)
    row.key("read")
    row.value(mail.read)
    row.key("flag")
    row.value(mail.flag)
    writeTriage(mail)
    row.key("indicator")
    Indicator(read: mail.read, flag: mail.flag).write(to: &row)
    row.key("titles")
    if let own = mail.swipe?.applied(to: swipe) {
      row.raw(Self.titles(own, read: mail.read, flag: mail.flag))
      row.key("swipe")
      own.write(to: &row)
    } else {
      row.raw(titles[(mail.read ? 1 : 0) + (mail.flag ? 2 : 0)])
    }
    row.endObject()
  }

  private mutating func writeTriage(_ mail: MailRow) {
    row.key("pinned")
    row.value(mail.pinned)
    row.key("muted")
    row.value(mail.muted)
    row.key("labels")
    row.beginArray()
    for label in mail.labels { row.value(label) }
    row.endArray()
    row.key("thread")
    row.value(mail.thread)
    guard showsBoxes else { return }
    row.key("in")
    row.value(mail.box.rawValue)
    guard let until = mail.until else { return }
    row.key("until")
    row.value(until.description)
  }

  private static func titles(_ swipe: SwipeSettings, read: Bool, flag: Bool) -> [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    for direction in SwipeDirection.allCases {
      writer.key(text: direction.rawValue)
      writer.beginArray()
      for title in swipe[direction].titles(read: read, flag: flag) { writer.value(title) }
      writer.endArray()
    }
    writer.endObject()
    return writer.take()
  }
}

/// The dot in front of a mail.
struct Indicator {
  /// Nil is clear.
  let color: String?
  let core: String?

  private static let orange = "#FF950D"
  private static let blue = "#007AFF"

  init(read: Bool, flag: Bool) {
    color = flag ? Self.orange : read ? nil : Self.blue
    core = flag && !read ? Self.blue : nil
  }

  func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.key("color")
    writer.value(color)
    writer.key("core")
    writer.value(core)
    writer.endObject()
  }
}
