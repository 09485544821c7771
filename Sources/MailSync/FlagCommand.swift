public import MailFiles

/// What a sync asks of the mailbox.
public enum FlagCommand: String, Sendable, Hashable, CaseIterable {
  case markRead = "mark-read"
  case markUnread = "mark-unread"
  case flag
  case unflag
  case trash
  case restore

  public var flag: MailFlags {
    switch self {
    case .markRead, .markUnread: .read
    case .flag, .unflag: .flagged
    case .trash, .restore: .trashed
    }
  }

  public var isSetting: Bool {
    switch self {
    case .markRead, .flag, .trash: true
    case .markUnread, .unflag, .restore: false
    }
  }
}
