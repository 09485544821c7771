internal import FastJSON

/// What a swipe or a press came to.
public enum GestureOutcome: Sendable, Equatable {
  /// What a button that acted did.
  public struct Effect: Sendable, Equatable {
    /// The absolute command that was carried out; nil for a button that does nothing.
    public var command: String?
    /// Whether it changed anything.
    public var changed: Bool
    /// Whether the row leaves its table by it.
    public var removes: Bool
    /// Where an item's row goes in its list, if it goes anywhere.
    public var place: ItemPlace?

    public init(
      command: String?, changed: Bool, removes: Bool = false, place: ItemPlace? = nil
    ) {
      self.command = command
      self.changed = changed
      self.removes = removes
      self.place = place
    }
  }

  // The two large cases are indirect, so that the outcomes of all other commands stay cheap to copy.

  /// A button acted.
  indirect case triggered(PressGesture, SwipeButton, Effect)
  /// The buttons of the side stay in sight, each with its present title.
  indirect case revealed(SwipeDirection, SwipeSide, titles: [String])
  case closed
  /// A sheet of choices titled "Actions" for a row.
  case sheet(SheetRow, [SheetAction])

  func write(to writer: inout JSONWriter) {
    writer.beginObject()
    switch self {
    case .triggered(let press, let button, let effect):
      writer.member("result", "triggered")
      writer.member("direction", press.direction.rawValue)
      writer.key("button")
      writer.value(press.button)
      writer.member("action", button.action.rawValue)
      writer.member("closes", button.closes)
      effect.writeMembers(to: &writer)
    case .revealed(let direction, let side, let titles):
      writer.member("result", "revealed")
      writer.member("direction", direction.rawValue)
      writer.key("buttons")
      writer.beginArray()
      for (index, (button, title)) in zip(side.buttons, titles).enumerated() {
        button.write(to: &writer, index: index, title: title)
      }
      writer.endArray()
      side.writeSettings(to: &writer)
    case .closed:
      writer.member("result", "closed")
    case .sheet(let row, let actions):
      writer.member("result", "sheet")
      writer.member("title", "Actions")
      writer.key("actions")
      writer.beginArray()
      for action in actions { action.write(of: row, to: &writer) }
      writer.endArray()
    }
    writer.endObject()
  }
}

extension GestureOutcome.Effect {
  fileprivate func writeMembers(to writer: inout JSONWriter) {
    writer.member("command", ifGiven: command)
    writer.member("changed", changed)
    writer.member("removes", removes)
    guard let place else { return }
    writer.member("section", place.section)
    writer.member("after", nullable: place.after)
  }
}

extension SwipeButton {
  /// Writes what a client draws of the button.
  fileprivate func write(to writer: inout JSONWriter, index: Int, title: String) {
    writer.beginObject()
    writer.key("index")
    writer.value(index)
    writer.member("action", action.rawValue)
    writer.member("title", title)
    writer.member("color", color)
    writer.key("padding")
    writer.number(padding)
    writer.member("closes", closes)
    writer.endObject()
  }
}
