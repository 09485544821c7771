public import EventSourcing
public import FastJSON

extension ListCommand: CommandCodable {
  public var name: String {
    switch self {
    case .create: "create"
    case .retitle: "retitle"
    case .section(let command): command.name
    case .add: "add"
    case .edit: "edit"
    case .replace: "replace"
    case .change(let change, _): change.rawValue
    case .erase: ItemChange.purge.rawValue
    case .reorder: "reorder"
    case .swipe: "swipe"
    case .press: "press"
    case .configureSwipe: "configure-swipe"
    case .undo: "undo"
    case .drag(let command): command.name
    }
  }

  public init(name: JSONText, data: JSONValue) throws(ServiceError) {
    let command: ListCommand?
    do throws(FieldError) {
      command = try Self.read(name, Fields(data))
    } catch {
      throw error.asInvalid
    }
    guard let command else {
      throw ServiceError(
        .unknownCommand, "a list has no command '\(name.string.shortened(to: 64))'")
    }
    self = command
  }

  private static func read(_ name: JSONText, _ fields: Fields) throws(FieldError) -> ListCommand? {
    switch name {
    case "create":
      try fields.allowOnly(.list)
      return .create(
        title: try fields.title(), try fields.template())
    case "add":
      try fields.allowOnly(.newItem)
      return .add(
        text: try fields.itemText(), try fields.optionalID("section"),
        try Anchor(optional: fields) ?? .last, try ItemSettings(fields))
    case "edit":
      try fields.allowOnly(.edit)
      return try edit(fields)
    case "replace":
      try fields.allowOnly(.replacement)
      return .replace(try fields.id("section"), texts: try fields.itemTexts())
    case "retitle":
      try fields.allowOnly(.title)
      return .retitle(try fields.title())
    case "reorder":
      try fields.allowOnly(.itemsToReorder)
      return .reorder(
        try Targets(fields, .item), try fields.optionalID("section"), try Anchor(fields))
    case "swipe":
      try fields.allowOnly(.itemSwipe)
      return .swipe(try fields.id("item"), try SwipeGesture(fields))
    case "press":
      try fields.allowOnly(.itemPress)
      return .press(try fields.id("item"), try PressGesture(fields))
    case "configure-swipe":
      try fields.allowOnly(.sectionSides)
      let scope = try SwipeScope(fields)
      return .configureSwipe(
        scope, try SwipeChange(fields, from: .itemCommand, isOfRow: scope.isRow))
    case "undo":
      try fields.allowOnly(.undo)
      return .undo(try fields.commandID("command"))
    case "purge":
      try fields.allowOnly(.itemsToPurge)
      let erases = try fields.bool("erase", default: false)
      let targets = try Targets<ItemID>(fields, .item)
      return erases ? .erase(targets) : .change(.purge, targets)
    default:
      if let command = try SectionCommand(name, fields) { return .section(command) }
      if let drag = try DragCommand(name, fields) { return .drag(drag) }
      guard let change = ItemChange(name) else { return nil }
      try fields.allowOnly(.items)
      return .change(change, try Targets(fields, .item))
    }
  }

  private static func edit(_ fields: Fields) throws(FieldError) -> ListCommand {
    let item: ItemID = try fields.id("item")
    let text = fields.has("text") ? try fields.itemText() : nil
    let configuration = try ItemConfiguration(fields)
    guard text != nil || !configuration.isEmpty else {
      throw FieldError("", "one of 'text', 'movable', 'repeat' and 'due' must be given")
    }
    return .edit(item, text: text, configuration)
  }

  public func writeData(to writer: inout JSONWriter) {
    writer.beginObject()
    switch self {
    case .create(let title, let template):
      writer.member("title", title)
      writer.member("template", template.name)
    case .retitle(let title): writer.member("title", title)
    case .section(let command): command.writeMembers(to: &writer)
    case .add(let text, let section, let anchor, let settings):
      writer.member("text", text)
      if let section { writer.member("section", section) }
      anchor.write(to: &writer)
      settings.writeMembers(to: &writer)
    case .edit(let item, let text, let configuration):
      writer.member("item", item)
      writer.member("text", ifGiven: text)
      configuration.writeMembers(to: &writer)
    case .replace(let section, let texts):
      writer.member("section", section)
      writer.member("texts", ifGiven: texts)
    case .change(_, let targets):
      targets.write(to: &writer, .item)
    case .erase(let targets):
      targets.write(to: &writer, .item)
      writer.member("erase", true)
    case .reorder(let targets, let section, let anchor):
      targets.write(to: &writer, .item)
      if let section { writer.member("section", section) }
      anchor.write(to: &writer)
    case .swipe(let item, let gesture):
      writer.member("item", item)
      gesture.write(to: &writer)
    case .press(let item, let gesture):
      writer.member("item", item)
      gesture.write(to: &writer)
    case .configureSwipe(let scope, let change):
      scope.write(to: &writer)
      change.writeMembers(to: &writer)
    case .undo(let command):
      writer.member("command", command.description)
    case .drag(let command): command.writeMembers(to: &writer)
    }
    writer.endObject()
  }
}

extension ListCommand {
  public var source: StreamID? {
    if case .create(_, .list(let list)) = self { list } else { nil }
  }
}

extension ItemChange {
  /// The change with this name on the wire.
  init?(_ name: JSONText) {
    switch name {
    case "complete": self = .complete
    case "reopen": self = .reopen
    case "delete": self = .delete
    case "restore": self = .restore
    case "purge": self = .purge
    default: return nil
    }
  }
}

extension ItemList {
  /// In bytes.
  public static let textLimit = 64 << 10
  /// In bytes.
  public static let titleLimit = 998
  /// How many texts `replace` takes.
  public static let replacementLimit = 10_000

  fileprivate static func isText(_ text: String) -> Bool {
    (1...textLimit).contains(text.utf8.count)
  }
}

extension Fields {
  fileprivate func title() throws(FieldError) -> String {
    let title = try string("title")
    guard (1...ItemList.titleLimit).contains(title.utf8.count) else {
      throw FieldError("title", "must be 1 to \(ItemList.titleLimit) bytes")
    }
    return title
  }

  fileprivate func itemText() throws(FieldError) -> String {
    let text = try string("text").trimmed
    guard ItemList.isText(text) else { throw FieldError("text", Self.textRule) }
    return text
  }

  fileprivate func itemTexts() throws(FieldError) -> [String] {
    guard let given = try optionalStrings("texts") else {
      throw FieldError("texts", "must be an array of strings")
    }
    guard given.count <= ItemList.replacementLimit else {
      throw FieldError("texts", "must be at most \(ItemList.replacementLimit)")
    }
    let texts = given.map(\.trimmed)
    if let wrong = texts.firstIndex(where: { !ItemList.isText($0) }) {
      throw FieldError("texts[\(wrong)]", Self.textRule)
    }
    return texts
  }

  private static let textRule =
    "must be 1 to \(ItemList.textLimit) bytes without the space around it"
}
