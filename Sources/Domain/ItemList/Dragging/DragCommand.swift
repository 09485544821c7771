public import EventSourcing

/// What can be asked about the drag of an item.
public enum DragCommand: Sendable, Equatable {
  /// Picks an item up. Without a name the session has the command's id.
  case begin(ItemID, session: CommandID?)
  case over(CommandID, DragPlace)
  /// Lets the item go: at the place, or where it was held last.
  case drop(CommandID, DragPlace?)
  /// Puts the item back.
  case cancel(CommandID)
}

/// Where an item is held, as its dragger says.
public struct DragPlace: Sendable, Equatable {
  /// Nil for the section that the anchor is in, or else the one that the item was held over last.
  public var section: SectionID?
  public var anchor: Anchor<ItemID>

  public init(section: SectionID? = nil, _ anchor: Anchor<ItemID>) {
    self.section = section
    self.anchor = anchor
  }
}
