public import EventSourcing

extension Mailbox {
  /// What is erased of a purged mail: all that says what it was, when, and between whom. Its
  /// states stay, since counts hang on them.
  public static let erasable = ErasableEvents(
    category: .mailbox, subject: "mail", subjects: "mails", purge: "mail.purged",
    forms: [
      "mail.delivered": .init(
        kept: ["mail", "read", "flagged", "answered", "trashed"],
        emptied: ["from", "subject", "message"])
    ])
}
