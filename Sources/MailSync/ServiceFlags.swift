public import MailFiles

/// The flags of a mailbox's mails, kept up by its events.
public struct ServiceFlags: Sendable, Equatable {
  private var mails: [Int: MailFlags]
  /// Whether an event spoke of a mail that is not here. Then something was missed, as pages that
  /// were read one after another can miss a mail that changes its place, and all must be read again.
  public private(set) var isIncomplete = false

  public init(_ mails: [Int: MailFlags] = [:]) { self.mails = mails }

  /// Nil where there is no such mail, or none any more.
  public subscript(mail: Int) -> MailFlags? { mails[mail] }

  /// Takes in an event; those that say nothing of flags change nothing.
  ///
  /// Events say how a mail is then, so events that are older than what is here do no harm once the
  /// newer ones have come too.
  ///
  /// - Parameter delivered: the flags of a `mail.delivered`.
  public mutating func apply(_ type: String, mail: Int, delivered: MailFlags) {
    switch type {
    case "mail.delivered": mails[mail] = delivered.intersection(.synced)
    case "mail.purged", "mail.moved": mails[mail] = nil
    case "mail.read": change(mail) { $0.insert(.read) }
    case "mail.unread": change(mail) { $0.remove(.read) }
    case "mail.flagged": change(mail) { $0.insert(.flagged) }
    case "mail.unflagged": change(mail) { $0.remove(.flagged) }
    case "mail.trashed": change(mail) { $0.insert(.trashed) }
    case "mail.restored": change(mail) { $0.remove(.trashed) }
    default: break
    }
  }

  private mutating func change(_ mail: Int, _ body: (inout MailFlags) -> Void) {
    guard mails[mail] != nil else {
      isIncomplete = true
      return
    }
    body(&mails[mail, default: []])
  }
}
