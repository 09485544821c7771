public import EventSourcing

/// What can be asked of a mailbox.
public enum MailboxCommand: Sendable, Equatable {
  // The large cases are indirect, so that the others are cheap to copy.
  indirect case deliver(MailContent)
  case change(MailChange, Targets<MailID>)
  /// `purge` with `erase`: out of the trash, and out of the log.
  case erase(Targets<MailID>)
  case reorder(Targets<MailID>, Anchor<MailID>)
  case swipe(MailID, SwipeGesture)
  case press(MailID, PressGesture)
  /// How all rows are swiped, or one mail's.
  indirect case configureSwipe(MailID?, SwipeChange)
  /// Of an earlier command to this mailbox.
  indirect case undo(CommandID)
  case label(MailLabel, Targets<MailID>)
  case unlabel(MailLabel, Targets<MailID>)
  case snooze(until: Timestamp, Targets<MailID>)
  case mute(ThreadTarget)
  case unmute(ThreadTarget)
  case configureRetention(TrashRetention?)
  /// The service's own: the mail's time has come, if it still sleeps until then.
  case wake(MailID, until: Timestamp)
  /// The service's own: these have been in the trash for long enough, if they are still there.
  case expire(Targets<MailID>)
  indirect case move(Targets<MailID>, to: StreamID)
  /// The service's own: tells what it must know of mails to move them.
  case showLeaving(Targets<MailID>)
  /// The service's own: a mail comes from another mailbox.
  indirect case arrive(MailArrival)
  /// The service's own: the mail is in the other mailbox, as this one there.
  indirect case completeMove(MailID, to: StreamID, as: MailID)
  /// The service's own: the other mailbox does not take the mail.
  indirect case failMove(MailID, to: StreamID, reason: String)
}

/// A thread, by its number or by one of its mails.
public enum ThreadTarget: Sendable, Equatable {
  case thread(MailID)
  case mail(MailID)
}

/// A command that gives each of its mails one state, whatever it was before.
public enum MailChange: String, Sendable, CaseIterable {
  case markRead = "mark-read"
  case markUnread = "mark-unread"
  case flag
  case unflag
  case trash
  case restore
  case archive
  case unarchive
  case pin
  case unpin
  case unsnooze
  /// Out of the trash, for good.
  case purge
}
