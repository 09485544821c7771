/// Where a mail is: in exactly one of them. Gone for good comes first, then the trash, the snoozed, the
/// archive; what is in none of them is in the inbox.
public enum MailBox: String, Sendable, CaseIterable {
  case inbox
  case archive
  case snoozed
  case trash
}

extension MailBox {
  /// Where a mail is that has these marks.
  public init(archived: Bool, snoozed: Bool, trashed: Bool) {
    self = trashed ? .trash : snoozed ? .snoozed : archived ? .archive : .inbox
  }
}

extension Mailbox.State {
  /// - Precondition: the mail is not purged.
  var box: MailBox {
    MailBox(
      archived: contains(.archived), snoozed: contains(.snoozed), trashed: contains(.trashed))
  }

  /// - Precondition: the mail is not purged.
  var isInInbox: Bool { isDisjoint(with: [.trashed, .snoozed, .archived]) }
}
