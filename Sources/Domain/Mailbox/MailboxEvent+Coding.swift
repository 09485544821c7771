public import EventSourcing
public import FastJSON

extension MailboxEvent: EventCodable {
  public var type: EventType {
    switch self {
    case .delivered: "mail.delivered"
    case .read: "mail.read"
    case .unread: "mail.unread"
    case .flagged: "mail.flagged"
    case .unflagged: "mail.unflagged"
    case .trashed: "mail.trashed"
    case .restored: "mail.restored"
    case .purged: "mail.purged"
    case .reordered: "mail.reordered"
    case .swipeConfigured: "mailbox.swipe-configured"
    case .mailSwipeConfigured: "mail.swipe-configured"
    case .mailSwipeCleared: "mail.swipe-cleared"
    case .archived: "mail.archived"
    case .unarchived: "mail.unarchived"
    case .pinned: "mail.pinned"
    case .unpinned: "mail.unpinned"
    case .labeled: "mail.labeled"
    case .unlabeled: "mail.unlabeled"
    case .snoozed: "mail.snoozed"
    case .unsnoozed: "mail.unsnoozed"
    case .threadMuted: "thread.muted"
    case .threadUnmuted: "thread.unmuted"
    case .retentionConfigured: "mailbox.retention-configured"
    case .moveRequested: "mail.move-requested"
    case .moved: "mail.moved"
    case .moveFailed: "mail.move-failed"
    case .lost: "log.lost"
    }
  }

  public var schema: UInt16 { 1 }

  /// Every type that is decided, with its present schema.
  static let schemas: [EventType: UInt16] = [
    "mail.delivered": 1, "mail.read": 1, "mail.unread": 1, "mail.flagged": 1, "mail.unflagged": 1,
    "mail.trashed": 1, "mail.restored": 1, "mail.purged": 1, "mail.reordered": 1,
    "mailbox.swipe-configured": 1, "mail.swipe-configured": 1, "mail.swipe-cleared": 1,
    "mail.archived": 1, "mail.unarchived": 1, "mail.pinned": 1,
    "mail.unpinned": 1, "mail.labeled": 1, "mail.unlabeled": 1, "mail.snoozed": 1,
    "mail.unsnoozed": 1, "thread.muted": 1, "thread.unmuted": 1,
    "mailbox.retention-configured": 1, "mail.move-requested": 1, "mail.moved": 1,
    "mail.move-failed": 1,
  ]

  public func writeData(to writer: inout JSONWriter) {
    writer.beginObject()
    switch self {
    case .delivered(let mail, let content):
      writer.member("mail", mail)
      content.writeMembers(to: &writer, nullDate: false)
    case .read(let mail), .unread(let mail), .flagged(let mail), .unflagged(let mail),
      .trashed(let mail), .restored(let mail), .archived(let mail), .unarchived(let mail),
      .pinned(let mail), .unpinned(let mail), .mailSwipeCleared(let mail):
      writer.member("mail", mail)
    case .purged(let mail, let erasure):
      writer.member("mail", mail)
      erasure?.writeMembers(to: &writer)
    case .reordered(let mail, let after):
      writer.member("mail", mail)
      writer.member("after", nullable: after)
    case .swipeConfigured(let configuration):
      configuration.writeMembers(to: &writer)
    case .mailSwipeConfigured(let mail, let configuration):
      writer.member("mail", mail)
      configuration.writeMembers(to: &writer)
    case .labeled(let mail, let label), .unlabeled(let mail, let label):
      writer.member("mail", mail)
      writer.member("label", label.text)
    case .snoozed(let mail, let until):
      writer.member("mail", mail)
      writer.member("until", until)
    case .unsnoozed(let mail, let reason):
      writer.member("mail", mail)
      writer.member("reason", reason.rawValue)
    case .threadMuted(let thread), .threadUnmuted(let thread):
      writer.member("thread", thread)
    case .retentionConfigured(let retention):
      writer.member("trash", nullable: retention?.description)
    case .moveRequested(let mail, let target):
      writer.member("mail", mail)
      writer.member("to", target.description)
    case .moved(let mail, let target, let there):
      writer.member("mail", mail)
      writer.member("to", target.description)
      writer.member("as", there)
    case .moveFailed(let mail, let target, let reason):
      writer.member("mail", mail)
      writer.member("to", target.description)
      writer.member("reason", reason)
    case .lost: break
    }
    writer.endObject()
  }

  public init(type: EventType, schema: UInt16, data: JSONValue) throws(EventCodingError) {
    guard schema == 1 else { throw EventCodingError(type: type, schema: schema, known: 1) }
    let event: Self?
    do throws(FieldError) {
      event = try Self.read(type, Fields(data))
    } catch {
      throw EventCodingError(type: type, schema: schema, .data(error.message))
    }
    guard let event else { throw EventCodingError(type: type, schema: schema, .unknownType) }
    self = event
  }

  private static func read(_ type: EventType, _ fields: Fields) throws(FieldError) -> MailboxEvent?
  {
    switch type.description {
    case "mail.read": .read(try fields.id("mail"))
    case "mail.flagged": .flagged(try fields.id("mail"))
    case "mail.trashed": .trashed(try fields.id("mail"))
    case "mail.delivered": .delivered(try fields.id("mail"), try MailContent(fields))
    case "mail.unread": .unread(try fields.id("mail"))
    case "mail.unflagged": .unflagged(try fields.id("mail"))
    case "mail.reordered":
      .reordered(try fields.id("mail"), after: try fields.nullableID("after"))
    case "mail.restored": .restored(try fields.id("mail"))
    case "mail.purged":
      .purged(try fields.id("mail"), try MailErasure(fields))
    case "mailbox.swipe-configured":
      .swipeConfigured(try SwipeConfiguration(fields, from: .event))
    case "mail.swipe-configured":
      .mailSwipeConfigured(try fields.id("mail"), try SwipeConfiguration(fields, from: .event))
    case "mail.swipe-cleared": .mailSwipeCleared(try fields.id("mail"))
    case "mail.archived": .archived(try fields.id("mail"))
    case "mail.unarchived": .unarchived(try fields.id("mail"))
    case "mail.pinned": .pinned(try fields.id("mail"))
    case "mail.unpinned": .unpinned(try fields.id("mail"))
    case "mail.labeled": .labeled(try fields.id("mail"), try fields.storedLabel("label"))
    case "mail.unlabeled": .unlabeled(try fields.id("mail"), try fields.storedLabel("label"))
    case "mail.snoozed": .snoozed(try fields.id("mail"), until: try fields.time("until"))
    case "mail.unsnoozed":
      .unsnoozed(try fields.id("mail"), try fields.choice("reason", of: WakeReason.self))
    case "thread.muted": .threadMuted(try fields.id("thread"))
    case "thread.unmuted": .threadUnmuted(try fields.id("thread"))
    case "mailbox.retention-configured": .retentionConfigured(try fields.retention("trash"))
    case "mail.move-requested":
      .moveRequested(try fields.id("mail"), to: try fields.mailbox("to"))
    case "mail.moved":
      .moved(try fields.id("mail"), to: try fields.mailbox("to"), as: try fields.id("as"))
    case "mail.move-failed":
      .moveFailed(
        try fields.id("mail"), to: try fields.mailbox("to"), reason: try fields.string("reason"))
    case "log.lost": .lost
    default: nil
    }
  }
}
