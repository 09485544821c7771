public import FastJSON

extension SwipeSettings {
  /// Writes both sides as one object.
  public func write(to writer: inout JSONWriter) {
    writer.beginObject()
    for direction in SwipeDirection.allCases {
      writer.key(text: direction.rawValue)
      self[direction].write(to: &writer)
    }
    writer.endObject()
  }
}

extension SwipeConfiguration {
  /// Writes the sides given, as members of an object that was begun.
  func writeMembers(to writer: inout JSONWriter) {
    if let leftToRight {
      writer.key("left-to-right")
      leftToRight.write(to: &writer)
    }
    if let rightToLeft {
      writer.key("right-to-left")
      rightToLeft.write(to: &writer)
    }
  }
}

extension SwipeSide {
  /// Writes the side as one object, complete, members in a fixed order.
  public func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.key("buttons")
    writer.beginArray()
    for button in buttons { button.write(to: &writer) }
    writer.endArray()
    writeSettings(to: &writer)
    writer.endObject()
  }

  /// Writes all but the buttons, as members of an object that was begun.
  func writeSettings(to writer: inout JSONWriter) {
    writer.member("transition", transition.rawValue)
    writer.key("openThreshold")
    writer.number(openThreshold)
    writer.member("keepsOpen", keepsOpen)
    writer.member("bounces", bounces)
    writer.key("bounceRate")
    writer.number(bounceRate)
    writer.key("expansion")
    expansion.write(to: &writer)
  }
}

extension SwipeButton {
  /// Writes the button as one object; `titles` only where it has its own.
  public func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("action", action.rawValue)
    writer.member("color", color)
    writer.key("padding")
    writer.number(padding)
    if let titles {
      writer.key("titles")
      writer.beginObject()
      writer.member("on", titles.on)
      writer.member("off", titles.off)
      writer.endObject()
    }
    writer.member("closes", closes)
    writer.endObject()
  }
}

extension SwipeExpansion {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.key("button")
    writer.value(button)
    writer.key("threshold")
    writer.number(threshold)
    writer.member("fills", fills)
    writer.endObject()
  }
}
