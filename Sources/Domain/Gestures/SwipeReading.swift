internal import FastJSON

/// From where swipe settings are read, which decides what is let through.
enum SwipeSource {
  /// A command to a mailbox or a list: everything is checked.
  case mailCommand
  case itemCommand
  /// An event: what was once accepted is taken as it is, and unknown members are a later version's.
  case event

  func check(_ action: SwipeAction) throws(FieldError) {
    switch self {
    case .event: return
    case .mailCommand where !action.suitsMail:
      throw FieldError("action", "must be an action for mails, or 'none'")
    case .itemCommand where !action.suitsItems:
      throw FieldError("action", "must be an action for items, or 'none'")
    default: return
    }
  }
}

extension SwipeAction {
  fileprivate var suitsMail: Bool {
    switch self {
    case .complete, .reopen, .delete: false
    default: true
    }
  }

  fileprivate var suitsItems: Bool {
    switch self {
    case .complete, .reopen, .delete, .more, .none: true
    default: false
    }
  }
}

extension Fields {
  func allowOnly(_ known: FieldNames, from source: SwipeSource) throws(FieldError) {
    if source != .event { try allowOnly(known) }
  }
}

extension SwipeConfiguration {
  init(_ fields: Fields, from source: SwipeSource) throws(FieldError) {
    self.init(
      leftToRight: try SwipeSide.read("left-to-right", in: fields, from: source),
      rightToLeft: try SwipeSide.read("right-to-left", in: fields, from: source))
    if source != .event, leftToRight == nil, rightToLeft == nil {
      throw FieldError("", "'left-to-right', 'right-to-left' or 'preset' must be given")
    }
  }
}

extension SwipeSide {
  /// More buttons than any row can show.
  static let buttonLimit = 32

  static func read(
    _ key: StaticString, in fields: Fields, from source: SwipeSource
  ) throws(FieldError) -> SwipeSide? {
    guard let nested = try fields.nested(key) else { return nil }
    do throws(FieldError) {
      return try SwipeSide(nested, from: source)
    } catch {
      throw error.within("\(key)")
    }
  }

  private init(_ fields: Fields, from source: SwipeSource) throws(FieldError) {
    try fields.allowOnly(.side, from: source)
    self.init(
      buttons: try Self.buttons(fields, from: source),
      transition: fields.has("transition")
        ? try fields.choice("transition", of: SwipeTransition.self) : .border,
      openThreshold: try fields.setting("openThreshold", default: 0.5),
      keepsOpen: try fields.bool("keepsOpen", default: true),
      bounces: try fields.bool("bounces", default: true),
      bounceRate: try fields.setting("bounceRate", default: 1))
    guard let nested = try fields.nested("expansion") else { return }
    do throws(FieldError) {
      expansion = try SwipeExpansion(nested, buttonCount: buttons.count, from: source)
    } catch {
      throw error.within("expansion")
    }
  }

  private static func buttons(
    _ fields: Fields, from source: SwipeSource
  ) throws(FieldError) -> [SwipeButton] {
    guard let value = fields.object["buttons"] else { return [] }
    guard let elements = value.elements else {
      throw FieldError("buttons", "must be an array of at most \(buttonLimit) buttons")
    }
    var buttons: [SwipeButton] = []
    for element in elements {
      guard buttons.count < buttonLimit else {
        throw FieldError("buttons", "must be an array of at most \(buttonLimit) buttons")
      }
      let path = "buttons[\(buttons.count)]"
      guard element.kind == .object else { throw FieldError(path, "must be an object") }
      do throws(FieldError) {
        buttons.append(try SwipeButton(Fields(element), from: source))
      } catch {
        throw error.within(path)
      }
    }
    return buttons
  }
}

extension SwipeButton {
  fileprivate init(_ fields: Fields, from source: SwipeSource) throws(FieldError) {
    try fields.allowOnly(.button, from: source)
    let action = try fields.choice("action", of: SwipeAction.self)
    try source.check(action)
    self.init(
      action: action, color: try Self.color(fields) ?? action.defaultColor,
      padding: try fields.setting("padding", default: 10),
      titles: try Titles(in: fields, from: source),
      closes: try fields.bool("closes", default: true))
  }

  private static func color(_ fields: Fields) throws(FieldError) -> String? {
    guard let value = fields.object["color"] else { return nil }
    guard let text = value.string, text.utf8.count == 7, text.utf8.first == UInt8(ascii: "#"),
      text.utf8.dropFirst().allSatisfy(\.isHexadecimalDigit)
    else { throw FieldError("color", "must be a colour as '#RRGGBB'") }
    return text
  }
}

extension SwipeButton.Titles {
  private static let lengthLimit = 200

  fileprivate init?(in fields: Fields, from source: SwipeSource) throws(FieldError) {
    guard let titles = try fields.nested("titles") else { return nil }
    do throws(FieldError) {
      try titles.allowOnly(.titles, from: source)
      self.init(on: try titles.string("on"), off: try titles.string("off"))
    } catch {
      throw error.within("titles")
    }
    guard source == .event || max(on.utf8.count, off.utf8.count) <= Self.lengthLimit else {
      throw FieldError("titles", "must be at most \(Self.lengthLimit) bytes each")
    }
  }
}

extension SwipeExpansion {
  fileprivate init(
    _ fields: Fields, buttonCount: Int, from source: SwipeSource
  ) throws(FieldError) {
    try fields.allowOnly(.expansion, from: source)
    self.init(
      threshold: try fields.setting("threshold", default: 1.3),
      fills: try fields.bool("fills", default: false))
    guard let value = fields.object["button"], !value.isNull else { return }
    guard let index = value.integer, (0..<buttonCount).contains(index) else {
      throw FieldError("button", "must be the index of one of the \(buttonCount) buttons, or null")
    }
    button = index
  }
}

extension Fields {
  fileprivate func setting(
    _ key: StaticString, default fallback: Double
  ) throws(FieldError) -> Double {
    has(key) ? try number(key, from: 0, to: 1000) : fallback
  }
}

extension UInt8 {
  fileprivate var isHexadecimalDigit: Bool {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
      UInt8(ascii: "A")...UInt8(ascii: "F"):
      true
    default: false
    }
  }
}
