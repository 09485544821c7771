internal import Domain
internal import EventSourcing

/// Answers queries to the view `mailbox`.
final class MailboxReader: ViewReader {
  private let reader: ReadConnection
  private let findHead: SQLiteStatement
  private let findMail: SQLiteStatement
  private let mails: SQLiteStatement

  init(path: String) throws(ReadModelError) {
    reader = try ReadConnection(path: path)
    findHead = try reader.connection.prepare(MailboxHead.query)
    findMail = try reader.connection.prepare("SELECT key, moved FROM mails WHERE id = ?1")
    mails = try reader.connection.prepare(
      """
      SELECT id, sender, subject, message, date, read, flag, key FROM mails \
      WHERE mailbox = ?1 AND trashed = ?2 AND key > ?3 ORDER BY key
      """)
  }

  func close() { reader.connection.close() }

  func page(
    of stream: StreamID, _ request: PageRequest, cursor: PageCursor?
  ) throws(ReadModelError) -> [UInt8]? {
    try reader.snapshot { () throws(ReadModelError) -> [UInt8]? in
      guard let head = try MailboxHead.find(stream, with: findHead) else { return nil }
      mails.bind(1, head.number)
      mails.bind(2, request.showsTrash)
      mails.bind(3, try start(cursor, in: head))
      defer { mails.reset() }
      var rows = StoredMails(statement: mails, epoch: head.epoch, revision: head.revision)
      return try MailboxPage.write(
        head: try reader.head(of: stream, revision: head.revision), counts: head.counts,
        swipe: try StoredSwipe.settings(head.swipe) ?? .mailboxDefault, limit: request.limit,
        rows: &rows)
    }
  }

  /// The key that the page's rows come after.
  private func start(_ cursor: PageCursor?, in head: MailboxHead) throws(ReadModelError) -> Int {
    guard let cursor else { return .min }
    if cursor.epoch == head.epoch { return cursor.key }
    findMail.bind(1, try RowID.of(cursor.row, in: head.number))
    defer { findMail.reset() }
    guard try findMail.step() else { return cursor.key }
    let hasMoved = findMail.integer(1) > cursor.revision
    return hasMoved && cursor.epoch != nil ? cursor.key : findMail.integer(0)
  }
}

private struct StoredMails: MailRows {
  let statement: SQLiteStatement
  let epoch: Int
  let revision: Int

  mutating func next() throws(ReadModelError) -> MailRow? {
    guard try statement.step() else { return nil }
    return MailRow(
      mail: RowID.number(statement.integer(0)), from: statement.text(1),
      subject: statement.text(2), message: statement.text(3),
      date: statement.optionalInteger(4).map { Timestamp(microseconds: Int64($0)) },
      read: statement.bool(5), flag: statement.bool(6))
  }

  func cursor() -> PageCursor {
    PageCursor(
      epoch: epoch, revision: revision, row: RowID.number(statement.integer(0)),
      key: statement.integer(7))
  }
}
