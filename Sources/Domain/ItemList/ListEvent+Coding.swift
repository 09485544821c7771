public import EventSourcing
public import FastJSON

extension ListEvent: EventCodable {
  public var type: EventType {
    switch self {
    case .created: "list.created"
    case .sectionAdded: "section.added"
    case .retitled: "list.retitled"
    case .sectionRetitled: "section.retitled"
    case .sectionMoved: "section.moved"
    case .sectionRemoved: "section.removed"
    case .sectionRestored: "section.restored"
    case .traitsConfigured: "section.traits-configured"
    case .sectionStyled: "section.styled"
    case .itemAdded: "item.added"
    case .itemConfigured: "item.configured"
    case .itemEdited: "item.edited"
    case .itemCompleted: "item.completed"
    case .itemReopened: "item.reopened"
    case .itemDeleted: "item.deleted"
    case .itemRestored: "item.restored"
    case .itemPurged: "item.purged"
    case .itemMoved: "item.moved"
    case .swipeConfigured: "list.swipe-configured"
    case .itemSwipeConfigured: "item.swipe-configured"
    case .itemSwipeCleared: "item.swipe-cleared"
    case .lost: "log.lost"
    }
  }

  public var schema: UInt16 { 1 }

  /// Every type that is decided, with its present schema.
  static let schemas: [EventType: UInt16] = [
    "list.created": 1, "section.added": 1, "item.added": 1, "item.edited": 1, "item.completed": 1,
    "item.reopened": 1, "item.deleted": 1, "item.restored": 1, "item.purged": 1, "item.moved": 1,
    "list.swipe-configured": 1, "item.swipe-configured": 1, "item.swipe-cleared": 1,
    "list.retitled": 1, "section.retitled": 1, "section.moved": 1,
    "section.removed": 1, "section.restored": 1, "section.traits-configured": 1,
    "section.styled": 1, "item.configured": 1,
  ]

  public func writeData(to writer: inout JSONWriter) {
    writer.beginObject()
    switch self {
    case .created(let title, let template):
      writer.member("title", title)
      writer.member("template", template.name)
    case .sectionAdded(let section, let content, let after):
      writer.member("section", section)
      content.writeMembers(to: &writer)
      writer.member("after", nullable: after)
    case .retitled, .sectionRetitled, .sectionMoved, .sectionRemoved, .sectionRestored,
      .traitsConfigured, .sectionStyled:
      writeSectionData(to: &writer)
    case .itemAdded(let item, let text, let place, let settings):
      writer.member("item", item)
      writer.member("section", place.section)
      writer.member("text", text)
      writer.member("after", nullable: place.after)
      settings.writeMembers(to: &writer)
    case .itemConfigured(let item, let configuration):
      writer.member("item", item)
      configuration.writeMembers(to: &writer)
    case .itemEdited(let item, let text):
      writer.member("item", item)
      writer.member("text", text)
    case .itemCompleted(let item, let place), .itemReopened(let item, let place),
      .itemRestored(let item, let place), .itemMoved(let item, let place):
      writer.member("item", item)
      writer.member("section", place.section)
      writer.member("after", nullable: place.after)
    case .itemDeleted(let item), .itemSwipeCleared(let item):
      writer.member("item", item)
    case .itemPurged(let item, let erased):
      writer.member("item", item)
      if erased { writer.member("erased", true) }
    case .swipeConfigured(let section, let configuration):
      writer.member("section", section)
      configuration.writeMembers(to: &writer)
    case .itemSwipeConfigured(let item, let configuration):
      writer.member("item", item)
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

  private static func read(_ type: EventType, _ fields: Fields) throws(FieldError) -> ListEvent? {
    switch type.description {
    case "item.added":
      .itemAdded(
        try fields.id("item"), text: try fields.string("text"), try ItemPlace(fields),
        try ItemSettings(fields))
    case "item.configured":
      .itemConfigured(try fields.id("item"), try ItemConfiguration(fields))
    case "item.completed": .itemCompleted(try fields.id("item"), try ItemPlace(fields))
    case "item.moved": .itemMoved(try fields.id("item"), try ItemPlace(fields))
    case "item.deleted": .itemDeleted(try fields.id("item"))
    case "item.edited": .itemEdited(try fields.id("item"), text: try fields.string("text"))
    case "item.reopened": .itemReopened(try fields.id("item"), try ItemPlace(fields))
    case "item.restored": .itemRestored(try fields.id("item"), try ItemPlace(fields))
    case "item.purged":
      .itemPurged(try fields.id("item"), erased: try fields.bool("erased", default: false))
    case "list.created":
      .created(
        title: try fields.string("title"),
        template: try fields.template())
    case "section.added":
      .sectionAdded(
        try fields.id("section"), try SectionContent(fields), after: try fields.nullableID("after"))
    case "list.swipe-configured":
      .swipeConfigured(try fields.id("section"), try SwipeConfiguration(fields, from: .event))
    case "item.swipe-configured":
      .itemSwipeConfigured(try fields.id("item"), try SwipeConfiguration(fields, from: .event))
    case "item.swipe-cleared": .itemSwipeCleared(try fields.id("item"))
    case "log.lost": .lost
    default: try readSectionEvent(type, fields)
    }
  }
}

extension ItemPlace {
  fileprivate init(_ fields: Fields) throws(FieldError) {
    self.init(section: try fields.id("section"), after: try fields.nullableID("after"))
  }
}
