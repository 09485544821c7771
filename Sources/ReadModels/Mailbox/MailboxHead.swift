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
  /// How many times order keys had to change for another mail's move: a cursor's key holds as long
  /// as this stays.
  var epoch = 0
  var counts = MailboxCounts()
  /// The swipe configuration's event data; nil for the default.
  var swipe: String?
  var isDirty = false

  init(stream: StreamID, number: Int) {
    self.stream = stream
    self.number = number
  }
}

/// How many mails are where: total, unread and flagged count visible mails only.
struct MailboxCounts: Equatable {
  var total = 0
  var unread = 0
  var flagged = 0
  var trash = 0

  /// Counts a mail in (1) or out (-1).
  mutating func count(_ by: Int, read: Bool, flag: Bool, trashed: Bool) {
    if trashed {
      trash += by
      return
    }
    total += by
    if !read { unread += by }
    if flag { flagged += by }
  }
}
