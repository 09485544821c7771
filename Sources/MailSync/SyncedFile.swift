public import MailFiles

extension MailFlags {
  /// The flags that a mailbox has too; the others stay as they are on disk.
  public static let synced: MailFlags = [.read, .flagged, .trashed]
}

/// A mail file that the mailbox knows.
public struct SyncedFile: Sendable, Equatable {
  public let mail: Int
  /// The synced flags that both sides had when they last agreed.
  public var agreed: MailFlags

  public init(mail: Int, agreed: MailFlags) {
    self.mail = mail
    self.agreed = agreed.intersection(.synced)
  }

  /// Agrees on all of `flags` that are among `which`.
  mutating func agree(on flags: MailFlags, among which: MailFlags) {
    let which = which.intersection(.synced)
    agreed = agreed.subtracting(which).union(flags.intersection(which))
  }
}
