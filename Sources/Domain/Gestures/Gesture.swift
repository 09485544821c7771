internal import EventSourcing
internal import FastJSON

/// A finished swipe.
public struct SwipeGesture: Sendable, Equatable {
  public var direction: SwipeDirection
  /// The distance as a multiple of the side's buttons' width, 0–1000.
  public var extent: Double
  /// Points per second along the swipe when it was let go.
  public var velocity: Double

  public init(_ direction: SwipeDirection, extent: Double, velocity: Double = 0) {
    self.direction = direction
    self.extent = extent
    self.velocity = velocity
  }

  init(_ fields: Fields) throws(FieldError) {
    direction = try fields.choice("direction", of: SwipeDirection.self)
    extent = try fields.number("extent", from: 0, to: 1000)
    velocity = fields.has("velocity") ? try fields.number("velocity") : 0
  }

  func write(to writer: inout JSONWriter) {
    writer.member("direction", direction.rawValue)
    writer.key("extent")
    writer.number(extent)
    writer.key("velocity")
    writer.number(velocity)
  }
}

/// A press on a button in sight.
public struct PressGesture: Sendable, Equatable {
  public var direction: SwipeDirection
  /// The button's index, 0 outermost.
  public var button: Int
  /// The action that the one who pressed saw on the button: where it has another one by now, the
  /// press is refused. Nil presses whatever it is.
  public var action: SwipeAction?

  public init(_ direction: SwipeDirection, button: Int, action: SwipeAction? = nil) {
    self.direction = direction
    self.button = button
    self.action = action
  }

  init(_ fields: Fields) throws(FieldError) {
    direction = try fields.choice("direction", of: SwipeDirection.self)
    guard let button = try fields.optionalCount("button") else {
      throw FieldError("button", "must be an integer, 0 or more")
    }
    self.button = button
    action =
      fields.has("action") ? try fields.choice("action", of: SwipeAction.self) : nil
  }

  func write(to writer: inout JSONWriter) {
    writer.member("direction", direction.rawValue)
    writer.key("button")
    writer.value(button)
    writer.member("action", ifGiven: action?.rawValue)
  }

  /// The button pressed.
  ///
  /// - Throws: `rejected` where it is not, or no longer, the one that was meant; `invalid` where the
  ///   side has no such button.
  func button(of settings: SwipeSettings) throws(ServiceError) -> SwipeButton {
    let buttons = settings[direction].buttons
    if let action, !buttons.indices.contains(button) || buttons[button].action != action {
      throw ServiceError(
        .rejected,
        "button \(button) of '\(direction.rawValue)' is not '\(action.rawValue)' now: "
          + Self.names(of: buttons))
    }
    guard buttons.indices.contains(button) else {
      throw ServiceError(
        .invalid,
        "'button' must be the index of one of the \(buttons.count) '\(direction.rawValue)' buttons")
    }
    return buttons[button]
  }

  private static func names(of buttons: [SwipeButton]) -> String {
    if buttons.isEmpty { return "the side has no buttons" }
    let names = buttons.enumerated().map { "\($0.offset) '\($0.element.action.rawValue)'" }
    return "its buttons are \(names.joined(separator: ", "))"
  }
}

/// What an event that came from a gesture says in its meta's `via`.
enum GestureOrigin: String {
  case swipe
  case press
  case drag
}
