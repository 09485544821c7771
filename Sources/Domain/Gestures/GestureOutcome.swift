internal import FastJSON

/// What a swipe or a press came to.
public enum GestureOutcome: Sendable, Equatable {
  /// A button as it shows on this row now.
  public struct ShownButton: Sendable, Equatable {
    public let button: SwipeButton
    public let title: String

    public init(_ button: SwipeButton, title: String) {
      self.button = button
      self.title = title
    }
  }

  /// One choice of a sheet, with the absolute command that it stands for; Cancel has none.
  public struct SheetAction: Sendable, Equatable {
    public let title: String
    public let command: String?
    public let isDestructive: Bool

    public init(title: String, command: String? = nil, isDestructive: Bool = false) {
      self.title = title
      self.command = command
      self.isDestructive = isDestructive
    }
  }

  /// A button acted.
  case triggered(SwipeDirection, button: Int, action: SwipeAction, closes: Bool)
  /// The buttons stay in sight.
  case revealed(SwipeDirection, [ShownButton])
  case closed
  /// A sheet of choices titled "Actions".
  case sheet([SheetAction])

  func write(to writer: inout JSONWriter) {
    writer.beginObject()
    switch self {
    case .triggered(let direction, let button, let action, let closes):
      writer.member("result", "triggered")
      writer.member("direction", direction.rawValue)
      writer.key("button")
      writer.value(button)
      writer.member("action", action.rawValue)
      writer.member("closes", closes)
    case .revealed(let direction, let buttons):
      writer.member("result", "revealed")
      writer.member("direction", direction.rawValue)
      writer.key("buttons")
      writer.beginArray()
      for (index, shown) in buttons.enumerated() { shown.write(index, to: &writer) }
      writer.endArray()
    case .closed:
      writer.member("result", "closed")
    case .sheet(let actions):
      writer.member("result", "sheet")
      writer.member("title", "Actions")
      writer.key("actions")
      writer.beginArray()
      for action in actions { action.write(to: &writer) }
      writer.endArray()
    }
    writer.endObject()
  }
}

extension GestureOutcome.ShownButton {
  fileprivate func write(_ index: Int, to writer: inout JSONWriter) {
    writer.beginObject()
    writer.key("index")
    writer.value(index)
    writer.member("action", button.action.rawValue)
    writer.member("title", title)
    writer.member("color", button.color)
    writer.key("padding")
    writer.number(button.padding)
    writer.endObject()
  }
}

extension GestureOutcome.SheetAction {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("title", title)
    writer.member("command", ifGiven: command)
    if isDestructive { writer.member("destructive", true) }
    writer.endObject()
  }
}
