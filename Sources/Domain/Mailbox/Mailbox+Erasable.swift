public import EventSourcing

extension Mailbox {
  /// What is erased of a purged mail: all that says what it was, when, and between whom. Its
  /// states, its labels and its thread stay, since counts and other mails hang on them, and where it
  /// was moved from.
  public static let erasable = ErasableEvents(
    category: .mailbox, subject: "mail", subjects: "mails", purge: "mail.purged",
    forms: [
      "mail.delivered": .init(
        kept: [
          "mail", "read", "flagged", "answered", "trashed", "archived", "pinned", "labels",
          "thread",
          "origin",
        ],
        emptied: ["from", "subject", "message"])
    ])
}
