internal import Domain
internal import EventSourcing

/// Answers queries to the view `mailbox`.
final class MailboxReader: ViewReader {
  private let reader: ReadConnection
  private let findHead: SQLiteStatement
  private let findMail: SQLiteStatement
  private let mails: SQLiteStatement
  private let swipes: RowSwipeReader

  /// Begins anywhere and stops when the page is full, so that its cost does not grow with the mailbox.
  static let query = """
    SELECT id, sender, subject, message, date, read, flag, key FROM mails \
    WHERE mailbox = ?1 AND trashed = ?2 AND key > ?3 ORDER BY key
    """

  init(path: String) throws(ReadModelError) {
    reader = try ReadConnection(path: path)
    findHead = try reader.connection.prepare(MailboxHead.query)
    findMail = try reader.connection.prepare("SELECT key, moved FROM mails WHERE id = ?1")
    mails = try reader.connection.prepare(Self.query)
    swipes = try RowSwipeReader(reader.connection)
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
      mails.bind(1, head.number)
      mails.bind(2, request.showsTrash)
      mails.bind(3, start)
      defer { mails.reset() }
      try swipes.begin(stream: head.number)
      var rows = StoredMails(statement: mails, swipes: swipes, revision: head.revision)
      return .json(
        try MailboxPage.write(
          head: try reader.head(of: stream, revision: head.revision, reflecting: position),
          counts: head.counts,
          swipe: try StoredSwipe.settings(head.swipe) ?? .mailboxDefault, limit: request.limit,
          rows: &rows
        ).json)
    }
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

private struct StoredMails: MailRows {
  let statement: SQLiteStatement
  let swipes: RowSwipeReader
  let revision: Int

  mutating func next() throws(ReadModelError) -> MailRow? {
    guard try statement.step() else { return nil }
    return MailRow(
      mail: RowID.number(statement.integer(0)), from: statement.text(1),
      subject: statement.text(2), message: statement.text(3),
      date: statement.optionalInteger(4).map { Timestamp(microseconds: Int64($0)) },
      read: statement.bool(5), flag: statement.bool(6),
      swipe: try swipes.configuration(of: statement.integer(0)))
  }

  func cursor() -> PageCursor {
    PageCursor(
      revision: revision, row: RowID.number(statement.integer(0)), key: statement.integer(7))
  }
}
