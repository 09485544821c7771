internal import Domain

/// What a mailbox's counts, and the place of a mail's row, hang on.
struct MailState: Equatable {
  var read = false
  var flag = false
  var trashed = false
  var archived = false
  var pinned = false
  var snoozed = false

  init() {}

  /// As a mail is delivered.
  init(_ content: MailContent) {
    read = content.read ?? false
    flag = content.flagged ?? false
    trashed = content.trashed ?? false
    archived = content.archived ?? false
    pinned = content.pinned ?? false
  }

  var box: MailBox { MailBox(archived: archived, snoozed: snoozed, trashed: trashed) }

  /// The rows of one box are together, pinned ones first.
  var group: RowGroup { RowGroup(box: box, pinned: pinned) }
}

/// The rows that are in one order: those of a box that are pinned, or that are not.
struct RowGroup: Equatable {
  let box: MailBox
  let pinned: Bool

  /// Of all groups, whether or not there are rows in them.
  static let numbers = 0..<8

  /// What the file has.
  var number: Int { Self.place(of: box) * 2 + (pinned ? 0 : 1) }

  private static func place(of box: MailBox) -> Int {
    switch box {
    case .inbox: 0
    case .archive: 1
    case .snoozed: 2
    case .trash: 3
    }
  }

  /// The box of the group with this number.
  static func box(_ number: Int) -> MailBox {
    switch number / 2 {
    case 0: .inbox
    case 1: .archive
    case 2: .snoozed
    default: .trash
    }
  }
}
