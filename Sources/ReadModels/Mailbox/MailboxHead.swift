internal import Domain
internal import EventSourcing

/// The mailbox view's row about a mailbox as a whole.
final class MailboxHead: StreamHead {
  let stream: StreamID
  /// The mailbox's number in this file.
  let number: Int
  var revision = 0
  var lastMail = 0
  /// No mail has a smaller order key.
  var top = 0
  var counts = MailboxCounts()
  /// The swipe configuration's event data; nil for the default.
  var swipe: String?
  var isDirty = false

  init(stream: StreamID, number: Int) {
    self.stream = stream
    self.number = number
  }
}

/// How many mails are where: total, unread and flagged count the inbox only.
struct MailboxCounts: Equatable {
  var total = 0
  var unread = 0
  var flagged = 0
  var trash = 0
  var archived = 0
  var snoozed = 0

  /// Counts a mail in (1) or out (-1).
  mutating func count(_ by: Int, _ mail: MailState) {
    switch mail.box {
    case .trash: trash += by
    case .snoozed: snoozed += by
    case .archive: archived += by
    case .inbox:
      total += by
      if !mail.read { unread += by }
      if mail.flag { flagged += by }
    }
  }
}

extension MailboxHead {
  /// Finds a head by its stream.
  static let query = """
    SELECT number, revision, last_mail, top, total, unread, flagged, trash, archived, snoozed, \
    swipe \
    FROM mailboxes WHERE stream = ?1
    """

  static func find(
    _ stream: StreamID, with statement: SQLiteStatement
  ) throws(ReadModelError) -> MailboxHead? {
    statement.bind(1, stream.description)
    defer { statement.reset() }
    guard try statement.step() else { return nil }
    let head = MailboxHead(stream: stream, number: statement.integer(0))
    head.revision = statement.integer(1)
    head.lastMail = statement.integer(2)
    head.top = statement.integer(3)
    head.counts = MailboxCounts(
      total: statement.integer(4), unread: statement.integer(5), flagged: statement.integer(6),
      trash: statement.integer(7), archived: statement.integer(8), snoozed: statement.integer(9))
    head.swipe = statement.optionalText(10)
    return head
  }
}
