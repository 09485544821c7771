internal import Domain
internal import EventSourcing

/// Answers queries to the view `mailbox`.
final class MailboxReader: ViewReader {
  private let reader: ReadConnection
  private let findHead: SQLiteStatement
  private let findMail: SQLiteStatement
  private let swipes: RowSwipeReader
  private let queries: MailboxQueries

  init(path: String) throws(ReadModelError) {
    reader = try ReadConnection(path: path)
    findHead = try reader.connection.prepare(MailboxHead.query)
    findMail = try reader.connection.prepare("SELECT key, moved FROM mails WHERE id = ?1")
    swipes = try RowSwipeReader(reader.connection)
    queries = MailboxQueries(reader.connection)
  }

  func close() { reader.connection.close() }

  func page(
    of stream: StreamID, _ request: PageRequest, cursor: PageCursor?,
    reflecting position: GlobalPosition
  ) throws(ReadModelError) -> PageAnswer {
    try reader.snapshot { () throws(ReadModelError) -> PageAnswer in
      guard let head = try MailboxHead.find(stream, with: findHead) else {
        return .unknownStream
      }
      guard let start = try start(cursor, in: head) else { return .invalidCursor }
      let mails = try queries.statement(MailboxQueries.Shape(request))
      defer { mails.reset() }
      try swipes.begin(stream: head.number)
      try bind(request, of: head, to: mails)
      var rows = StoredMails(
        statement: mails, swipes: swipes, revision: head.revision, box: request.box ?? .inbox,
        start: start,
        isPinned: cursor.map(\.isAmongPinned) ?? true)
      return .json(
        try MailboxPage.write(
          head: try reader.head(of: stream, revision: head.revision, reflecting: position),
          counts: head.counts, swipe: try StoredSwipe.settings(head.swipe) ?? .mailboxDefault,
          request, rows: &rows
        ).json)
    }
  }

  private func bind(
    _ request: PageRequest, of head: MailboxHead, to mails: SQLiteStatement
  ) throws(ReadModelError) {
    mails.bind(1, head.number)
    // One more tells whether there is another page.
    mails.bind(4, request.limit + 1)
    if let label = request.label { mails.bind(5, label.text) }
    guard let thread = request.thread else { return }
    mails.bind(6, RowID.numbers.contains(thread) ? try RowID.of(thread, in: head.number) : -1)
  }

  /// The key that the page's rows come after.
  private func start(_ cursor: PageCursor?, in head: MailboxHead) throws(ReadModelError) -> Int? {
    guard let cursor else { return .min }
    findMail.bind(1, try RowID.of(cursor.row, in: head.number))
    defer { findMail.reset() }
    guard try findMail.step() else { return cursor.key }
    return cursor.place(presentKey: findMail.integer(0), moved: findMail.integer(1))
  }
}

/// First the pinned rows, then the others.
private struct StoredMails: MailRows {
  private let statement: SQLiteStatement
  private let swipes: RowSwipeReader
  private let revision: Int
  private let box: MailBox
  private var isPinned: Bool

  /// - Parameter start: the key behind which to begin among the pinned rows, or else the others.
  init(
    statement: SQLiteStatement, swipes: RowSwipeReader, revision: Int, box: MailBox, start: Int,
    isPinned: Bool
  ) {
    self.statement = statement
    self.swipes = swipes
    self.revision = revision
    self.box = box
    self.isPinned = isPinned
    begin(behind: start)
  }

  private func begin(behind key: Int) {
    statement.bind(2, RowGroup(box: box, pinned: isPinned).number)
    statement.bind(3, key)
  }

  mutating func next() throws(ReadModelError) -> MailRow? {
    if try !statement.step() {
      guard isPinned else { return nil }
      isPinned = false
      statement.reset()
      begin(behind: .min)
      guard try statement.step() else { return nil }
    }
    let mail = RowID.number(statement.integer(0))
    return MailRow(
      mail: mail, from: statement.text(1), subject: statement.text(2),
      message: statement.text(3), date: time(4), read: statement.bool(5),
      flag: statement.bool(6), pinned: statement.bool(8), muted: statement.bool(13),
      labels: statement.optionalText(9)?.split(separator: " ").map(String.init) ?? [],
      thread: statement.optionalInteger(10).map(RowID.number) ?? mail,
      box: RowGroup.box(statement.integer(11)), until: time(12),
      swipe: try swipes.configuration(of: statement.integer(0)))
  }

  private func time(_ column: Int32) -> Timestamp? {
    statement.optionalInteger(column).map { Timestamp(microseconds: Int64($0)) }
  }

  func cursor() -> PageCursor {
    PageCursor(
      revision: revision, isAmongPinned: isPinned, mail: RowID.number(statement.integer(0)),
      key: statement.integer(7))
  }
}
