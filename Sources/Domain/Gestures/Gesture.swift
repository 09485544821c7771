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

  public init(_ direction: SwipeDirection, button: Int) {
    self.direction = direction
    self.button = button
  }

  init(_ fields: Fields) throws(FieldError) {
    direction = try fields.choice("direction", of: SwipeDirection.self)
    guard let button = try fields.optionalCount("button") else {
      throw FieldError("button", "must be an integer, 0 or more")
    }
    self.button = button
  }

  func write(to writer: inout JSONWriter) {
    writer.member("direction", direction.rawValue)
    writer.key("button")
    writer.value(button)
  }

  /// The button pressed.
  ///
  /// - Throws: `invalid` where the side has no such button.
  func button(of settings: SwipeSettings) throws(ServiceError) -> SwipeButton {
    let buttons = settings[direction].buttons
    guard buttons.indices.contains(button) else {
      throw ServiceError(
        .invalid,
        "'button' must be the index of one of the \(buttons.count) '\(direction.rawValue)' buttons")
    }
    return buttons[button]
  }
}

/// What an event that came from a gesture says in its meta's `via`.
enum GestureOrigin: String {
  case swipe
  case press
}
