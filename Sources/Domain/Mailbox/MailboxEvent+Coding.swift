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
    case .lost: "log.lost"
    }
  }

  public var schema: UInt16 { 1 }

  /// Every type that is decided, with its present schema.
  static let schemas: [EventType: UInt16] = [
    "mail.delivered": 1, "mail.read": 1, "mail.unread": 1, "mail.flagged": 1, "mail.unflagged": 1,
    "mail.trashed": 1, "mail.restored": 1, "mail.purged": 1, "mail.reordered": 1,
    "mailbox.swipe-configured": 1, "mail.swipe-configured": 1, "mail.swipe-cleared": 1,
  ]

  public func writeData(to writer: inout JSONWriter) {
    writer.beginObject()
    switch self {
    case .delivered(let mail, let content):
      writer.member("mail", mail)
      content.writeMembers(to: &writer, nullDate: false)
    case .read(let mail), .unread(let mail), .flagged(let mail), .unflagged(let mail),
      .trashed(let mail), .restored(let mail), .mailSwipeCleared(let mail):
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
    case "log.lost": .lost
    default: nil
    }
  }
}
