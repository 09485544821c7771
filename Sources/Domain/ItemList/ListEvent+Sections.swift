internal import EventSourcing
internal import FastJSON

/// The data of the events that change sections, and of the list's title.
extension ListEvent {
  /// Writes the data's members.
  func writeSectionData(to writer: inout JSONWriter) {
    switch self {
    case .retitled(let title): writer.member("title", title)
    case .sectionRetitled(let section, let header, let footer):
      writer.member("section", section)
      writer.member("header", nullable: header)
      writer.member("footer", nullable: footer)
    case .sectionMoved(let section, let after), .sectionRestored(let section, let after):
      writer.member("section", section)
      writer.member("after", nullable: after)
    case .sectionRemoved(let section): writer.member("section", section)
    case .traitsConfigured(let section, let traits):
      writer.member("section", section)
      writer.key("traits")
      traits.write(to: &writer)
    case .sectionStyled(let section, let style):
      writer.member("section", section)
      writer.key("style")
      style.write(to: &writer)
    default: preconditionFailure("no event of a section")
    }
  }

  /// The event of this type; nil where it is none of a section.
  static func readSectionEvent(
    _ type: EventType, _ fields: Fields
  ) throws(FieldError) -> ListEvent? {
    switch type.description {
    case "list.retitled": .retitled(try fields.string("title"))
    case "section.retitled":
      .sectionRetitled(
        try fields.id("section"), header: try fields.nullableString("header"),
        footer: try fields.nullableString("footer"))
    case "section.moved":
      .sectionMoved(try fields.id("section"), after: try fields.nullableID("after"))
    case "section.removed": .sectionRemoved(try fields.id("section"))
    case "section.restored":
      .sectionRestored(try fields.id("section"), after: try fields.nullableID("after"))
    case "section.traits-configured":
      .traitsConfigured(try fields.id("section"), try SectionTraits("traits", in: fields))
    case "section.styled":
      .sectionStyled(try fields.id("section"), try SectionStyle("style", in: fields))
    default: nil
    }
  }
}
