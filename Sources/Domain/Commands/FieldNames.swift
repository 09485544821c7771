internal import FastJSON

/// The fields that one object of a command may have.
///
/// Kept in statics: a literal where it is used would be an allocation per command.
struct FieldNames: ExpressibleByArrayLiteral {
  private let names: [StaticString]

  init(arrayLiteral names: StaticString...) { self.names = names }

  func contains(_ name: JSONText) -> Bool {
    for known in names where name.equals(known) { return true }
    return false
  }
}

extension FieldNames {
  static let delivery: FieldNames = [
    "from", "subject", "message", "date", "to", "cc", "messageID", "inReplyTo", "references",
    "digest", "size", "read", "flagged", "answered", "trashed", "archived", "pinned", "labels",
  ]
  static let mails: FieldNames = ["mail", "mails", "all", "in", "thread"]
  static let mailsToPurge: FieldNames = [
    "mail", "mails", "all", "in", "thread", "erase",
  ]
  static let mailsToReorder: FieldNames = [
    "mail", "mails", "all", "in", "thread", "after", "before", "first", "last",
  ]
  static let mailSwipe: FieldNames = ["mail", "direction", "extent", "velocity"]
  static let mailPress: FieldNames = ["mail", "direction", "button", "action"]
  static let mailboxSides: FieldNames = [
    "mail", "left-to-right", "right-to-left", "preset", "clear",
  ]
  static let mailsToLabel: FieldNames = ["mail", "mails", "all", "in", "thread", "label"]
  static let mailsToSnooze: FieldNames = ["mail", "mails", "all", "in", "thread", "until"]
  static let mailToWake: FieldNames = ["mail", "until"]
  static let mailsToMove: FieldNames = ["mail", "mails", "all", "in", "thread", "to"]
  static let arrival: FieldNames = [
    "from", "subject", "message", "date", "to", "cc", "messageID", "inReplyTo", "references",
    "digest", "size", "read", "flagged", "answered", "trashed", "archived", "pinned", "labels",
    "origin", "until",
  ]
  static let completedMove: FieldNames = ["mail", "to", "as"]
  static let failedMove: FieldNames = ["mail", "to", "reason"]
  static let thread: FieldNames = ["mail", "thread"]
  static let retention: FieldNames = ["trash"]

  static let undo: FieldNames = ["command"]

  static let list: FieldNames = ["title", "template"]
  static let title: FieldNames = ["title"]
  static let newItem: FieldNames = [
    "text", "section", "after", "before", "first", "last", "repeat", "due", "movable",
  ]
  static let edit: FieldNames = ["item", "text", "repeat", "due", "movable"]
  static let replacement: FieldNames = ["section", "texts"]
  static let newSection: FieldNames = [
    "header", "footer", "traits", "left-to-right", "right-to-left", "style", "completedRole",
    "after", "before", "first", "last",
  ]
  static let sectionTitles: FieldNames = ["section", "header", "footer"]
  static let sectionMove: FieldNames = ["section", "after", "before", "first", "last"]
  static let sectionRemoval: FieldNames = ["section", "items", "to"]
  static let sectionConfiguration: FieldNames = ["section", "traits", "style"]
  static let traits: FieldNames = [
    "canAdd", "canComplete", "canDelete", "canReorder", "acceptsMoves",
  ]
  static let style: FieldNames = ["alignment", "weight", "size", "headerHeight"]
  static let items: FieldNames = ["item", "items", "all", "in"]
  static let itemsToPurge: FieldNames = ["item", "items", "all", "in", "erase"]
  static let itemsToReorder: FieldNames = [
    "item", "items", "all", "in", "section", "after", "before", "first", "last",
  ]
  static let itemSwipe: FieldNames = ["item", "direction", "extent", "velocity"]
  static let itemPress: FieldNames = ["item", "direction", "button", "action"]
  static let sectionSides: FieldNames = [
    "section", "item", "left-to-right", "right-to-left", "preset", "clear",
  ]

  static let dragBegin: FieldNames = ["item", "session"]
  static let dragPlace: FieldNames = ["session", "section", "after", "before", "first", "last"]
  static let dragSession: FieldNames = ["session"]

  static let side: FieldNames = [
    "buttons", "transition", "openThreshold", "keepsOpen", "bounces", "bounceRate", "expansion",
  ]
  static let button: FieldNames = ["action", "color", "padding", "titles", "closes"]
  static let titles: FieldNames = ["on", "off"]
  static let expansion: FieldNames = ["button", "threshold", "fills"]
}
