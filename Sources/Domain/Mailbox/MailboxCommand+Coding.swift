public import EventSourcing
public import FastJSON

extension MailboxCommand: CommandCodable {
  public var name: String {
    switch self {
    case .deliver: "deliver"
    case .change(let change, _): change.rawValue
    case .erase: MailChange.purge.rawValue
    case .reorder: "reorder"
    case .swipe: "swipe"
    case .press: "press"
    case .configureSwipe: "configure-swipe"
    case .undo: "undo"
    case .label: "label"
    case .unlabel: "unlabel"
    case .snooze: "snooze"
    case .mute: "mute"
    case .unmute: "unmute"
    case .configureRetention: "configure-retention"
    case .wake: "wake"
    case .expire: "expire"
    case .move: "move"
    case .showLeaving: "show-leaving"
    case .arrive: "arrive"
    case .completeMove: "complete-move"
    case .failMove: "fail-move"
    }
  }

  public init(name: JSONText, data: JSONValue) throws(ServiceError) {
    let command: MailboxCommand?
    do throws(FieldError) {
      command = try Self.read(name, Fields(data))
    } catch {
      throw error.asInvalid
    }
    guard let command else {
      throw Mailbox.unknown(name.string.shortened(to: 64))
    }
    self = command
  }

  private static func read(_ name: JSONText, _ fields: Fields) throws(FieldError) -> MailboxCommand?
  {
    switch name {
    case "deliver":
      try fields.allowOnly(.delivery)
      let content = try MailContent(fields)
      try content.checkLengths()
      try content.checkLabels()
      return .deliver(content)
    case "reorder":
      try fields.allowOnly(.mailsToReorder)
      return .reorder(try Targets(fields, .mail), try Anchor(fields))
    case "swipe":
      try fields.allowOnly(.mailSwipe)
      return .swipe(try fields.id("mail"), try SwipeGesture(fields))
    case "press":
      try fields.allowOnly(.mailPress)
      return .press(try fields.id("mail"), try PressGesture(fields))
    case "configure-swipe":
      try fields.allowOnly(.mailboxSides)
      let mail: MailID? = try fields.optionalID("mail")
      return .configureSwipe(
        mail, try SwipeChange(fields, from: .mailCommand, isOfRow: mail != nil))
    case "undo":
      try fields.allowOnly(.undo)
      return .undo(try fields.commandID("command"))
    case "purge":
      try fields.allowOnly(.mailsToPurge)
      let erases = try fields.bool("erase", default: false)
      let targets = try Targets<MailID>(fields, .mail)
      return erases ? .erase(targets) : .change(.purge, targets)
    case "label":
      try fields.allowOnly(.mailsToLabel)
      return .label(try fields.label("label"), try Targets(fields, .mail))
    case "unlabel":
      try fields.allowOnly(.mailsToLabel)
      return .unlabel(try fields.label("label"), try Targets(fields, .mail))
    case "snooze":
      try fields.allowOnly(.mailsToSnooze)
      return .snooze(until: try fields.time("until"), try Targets(fields, .mail))
    case "mute":
      try fields.allowOnly(.thread)
      return .mute(try ThreadTarget(fields))
    case "unmute":
      try fields.allowOnly(.thread)
      return .unmute(try ThreadTarget(fields))
    case "configure-retention":
      try fields.allowOnly(.retention)
      return .configureRetention(try fields.retention("trash"))
    case "wake":
      try fields.allowOnly(.mailToWake)
      return .wake(try fields.id("mail"), until: try fields.time("until"))
    case "expire":
      try fields.allowOnly(.mails)
      return .expire(try Targets(fields, .mail))
    default:
      guard let change = MailChange(name) else { return try readMoving(name, fields) }
      try fields.allowOnly(.mails)
      return .change(change, try Targets(fields, .mail))
    }
  }

  public func writeData(to writer: inout JSONWriter) {
    writer.beginObject()
    switch self {
    case .deliver(let content):
      content.writeMembers(to: &writer, nullDate: true)
    case .change(_, let targets):
      targets.write(to: &writer, .mail)
    case .erase(let targets):
      targets.write(to: &writer, .mail)
      writer.member("erase", true)
    case .reorder(let targets, let anchor):
      targets.write(to: &writer, .mail)
      anchor.write(to: &writer)
    case .swipe(let mail, let gesture):
      writer.member("mail", mail)
      gesture.write(to: &writer)
    case .press(let mail, let gesture):
      writer.member("mail", mail)
      gesture.write(to: &writer)
    case .undo(let command):
      writer.member("command", command.description)
    case .configureSwipe(let mail, let change):
      if let mail { writer.member("mail", mail) }
      change.writeMembers(to: &writer)
    case .label(let label, let targets), .unlabel(let label, let targets):
      targets.write(to: &writer, .mail)
      writer.member("label", label.text)
    case .snooze(let until, let targets):
      targets.write(to: &writer, .mail)
      writer.member("until", until)
    case .mute(let thread), .unmute(let thread):
      thread.write(to: &writer)
    case .configureRetention(let retention):
      writer.member("trash", nullable: retention?.description)
    case .wake(let mail, let until):
      writer.member("mail", mail)
      writer.member("until", until)
    case .move, .showLeaving, .arrive, .completeMove, .failMove: writeMoving(to: &writer)
    case .expire(let targets):
      targets.write(to: &writer, .mail)
    }
    writer.endObject()
  }
}

extension MailChange {
  /// The change with this name on the wire.
  init?(_ name: JSONText) {
    switch name {
    case "mark-read": self = .markRead
    case "mark-unread": self = .markUnread
    case "flag": self = .flag
    case "unflag": self = .unflag
    case "trash": self = .trash
    case "restore": self = .restore
    case "purge": self = .purge
    case "archive": self = .archive
    case "unarchive": self = .unarchive
    case "pin": self = .pin
    case "unpin": self = .unpin
    case "unsnooze": self = .unsnooze
    default: return nil
    }
  }
}

extension ThreadTarget {
  fileprivate init(_ fields: Fields) throws(FieldError) {
    guard fields.has("mail") != fields.has("thread") else {
      throw FieldError("", "either 'mail' or 'thread' must be given")
    }
    self =
      fields.has("mail") ? .mail(try fields.id("mail")) : .thread(try fields.id("thread"))
  }

  fileprivate func write(to writer: inout JSONWriter) {
    switch self {
    case .mail(let mail): writer.member("mail", mail)
    case .thread(let thread): writer.member("thread", thread)
    }
  }
}
