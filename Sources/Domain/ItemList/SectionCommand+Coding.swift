internal import EventSourcing
internal import FastJSON

extension SectionCommand {
  var name: String {
    switch self {
    case .add: "add-section"
    case .retitle: "retitle-section"
    case .move: "move-section"
    case .remove: "remove-section"
    case .configure: "configure-section"
    }
  }

  /// The command with this name; nil where it is none for sections.
  init?(_ name: JSONText, _ fields: Fields) throws(FieldError) {
    switch name {
    case "add-section":
      try fields.allowOnly(.newSection)
      self = .add(try SectionContent(command: fields), try Anchor(optional: fields) ?? .last)
    case "retitle-section":
      try fields.allowOnly(.sectionTitles)
      self = .retitle(try fields.id("section"), try SectionTitles(fields))
    case "move-section":
      try fields.allowOnly(.sectionMove)
      self = .move(try fields.id("section"), try Anchor(fields))
    case "remove-section":
      try fields.allowOnly(.sectionRemoval)
      self = .remove(try fields.id("section"), try SectionItems.read(fields))
    case "configure-section":
      try fields.allowOnly(.sectionConfiguration)
      guard fields.has("traits") || fields.has("style") else {
        throw FieldError("", "'traits' or 'style' must be given")
      }
      self = .configure(
        try fields.id("section"), try SectionTraitsChange("traits", in: fields),
        try SectionStyleChange("style", in: fields))
    default: return nil
    }
  }

  /// Writes the command's data as members of an object that was begun.
  func writeMembers(to writer: inout JSONWriter) {
    switch self {
    case .add(let content, let anchor):
      content.writeCommandMembers(to: &writer)
      anchor.write(to: &writer)
    case .retitle(let section, let titles):
      writer.member("section", section)
      if let header = titles.header { writer.member("header", nullable: header) }
      if let footer = titles.footer { writer.member("footer", nullable: footer) }
    case .move(let section, let anchor):
      writer.member("section", section)
      anchor.write(to: &writer)
    case .remove(let section, let items):
      writer.member("section", section)
      items?.writeMembers(to: &writer)
    case .configure(let section, let traits, let style):
      writer.member("section", section)
      writer.key("traits")
      traits.write(to: &writer)
      writer.key("style")
      style.write(to: &writer)
    }
  }
}

extension SectionTitles {
  fileprivate init(_ fields: Fields) throws(FieldError) {
    guard fields.has("header") || fields.has("footer") else {
      throw FieldError("", "'header' or 'footer' must be given")
    }
    self.init(
      header: fields.has("header") ? .some(try fields.sectionTitle("header")) : nil,
      footer: fields.has("footer") ? .some(try fields.sectionTitle("footer")) : nil)
  }
}

extension SectionItems {
  fileprivate static func read(_ fields: Fields) throws(FieldError) -> SectionItems? {
    guard let items = fields.object["items"] else {
      if fields.has("to") { throw FieldError("to", "goes with 'items', which must be 'move'") }
      return nil
    }
    switch items.string {
    case "move":
      guard fields.has("to") else {
        throw FieldError("to", "must be given with 'move': the section that the items go to")
      }
      return .move(to: try fields.id("to"))
    case "delete":
      if fields.has("to") { throw FieldError("to", "must be left out with 'delete'") }
      return .delete
    default: throw FieldError("items", "must be 'move' (with 'to', a section) or 'delete'")
    }
  }

  fileprivate func writeMembers(to writer: inout JSONWriter) {
    switch self {
    case .move(let target):
      writer.member("items", "move")
      writer.member("to", target)
    case .delete: writer.member("items", "delete")
    }
  }
}

extension SectionTraitsChange {
  /// The traits given under `key`, which may be absent.
  init(_ key: StaticString, in fields: Fields) throws(FieldError) {
    guard let nested = try fields.nested(key) else {
      self.init()
      return
    }
    do throws(FieldError) {
      try nested.allowOnly(.traits)
      self.init(
        canAdd: try nested.optionalBool("canAdd"),
        canComplete: try nested.optionalBool("canComplete"),
        canDelete: try nested.optionalBool("canDelete"),
        canReorder: try nested.optionalBool("canReorder"),
        acceptsMoves: try nested.optionalBool("acceptsMoves"))
    } catch {
      throw error.within("\(key)")
    }
  }

  fileprivate func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("canAdd", ifGiven: canAdd)
    writer.member("canComplete", ifGiven: canComplete)
    writer.member("canDelete", ifGiven: canDelete)
    writer.member("canReorder", ifGiven: canReorder)
    writer.member("acceptsMoves", ifGiven: acceptsMoves)
    writer.endObject()
  }
}

extension SectionContent {
  /// A section as a command gives it: what is left out is usual.
  fileprivate init(command fields: Fields) throws(FieldError) {
    var swipe = SwipeSettings()
    if fields.has("left-to-right") || fields.has("right-to-left") {
      swipe = try SwipeConfiguration(fields, from: .itemCommand).applied(to: swipe)
    }
    self.init(
      header: try fields.sectionTitle("header"), footer: try fields.sectionTitle("footer"),
      traits: try SectionTraitsChange("traits", in: fields).applied(to: SectionTraits()),
      swipe: swipe, completedRole: try fields.bool("completedRole", default: false),
      style: try SectionStyleChange("style", in: fields).applied(to: SectionStyle()))
  }

  fileprivate func writeCommandMembers(to writer: inout JSONWriter) {
    writer.member("header", nullable: header)
    writer.member("footer", nullable: footer)
    writer.key("traits")
    traits.write(to: &writer)
    swipe.unusualSides.writeMembers(to: &writer)
    if completedRole { writer.member("completedRole", true) }
    writer.key("style")
    style.write(to: &writer)
  }
}

extension Fields {
  /// A header or a footer.
  fileprivate func sectionTitle(_ key: StaticString) throws(FieldError) -> String? {
    let title = try nullableString(key)
    guard (title?.utf8.count ?? 0) <= ItemList.titleLimit else {
      throw FieldError(key, "must be null, or a string of at most \(ItemList.titleLimit) bytes")
    }
    return title
  }
}
