public import EventSourcing

/// What can be asked of a list.
public enum ListCommand: Sendable, Equatable {
  case create(title: String, ListTemplate)
  case retitle(String)
  indirect case section(SectionCommand)
  /// Into the section, or the first one that can add.
  case add(text: String, SectionID?, Anchor<ItemID>, ItemSettings = ItemSettings())
  /// What is nil stays.
  case edit(ItemID, text: String?, ItemConfiguration = ItemConfiguration())
  /// Makes a section's items those with these texts, in this order.
  case replace(SectionID, texts: [String])
  case change(ItemChange, Targets<ItemID>)
  /// `purge` with `erase`: for good, and out of the log.
  case erase(Targets<ItemID>)
  /// Within the items' own section, or into the one named.
  case reorder(Targets<ItemID>, SectionID?, Anchor<ItemID>)
  case swipe(ItemID, SwipeGesture)
  case press(ItemID, PressGesture)
  /// Of an earlier command to this list.
  indirect case undo(CommandID)
  indirect case configureSwipe(SwipeScope, SwipeChange)
  indirect case drag(DragCommand)
}

/// Which rows of a list are swiped in the same way.
public enum SwipeScope: Sendable, Equatable {
  case section(SectionID)
  /// One item's row, wherever it goes.
  case item(ItemID)
}

/// A command that gives each of its items one state, whatever it was before.
public enum ItemChange: String, Sendable, CaseIterable {
  case complete
  case reopen
  case delete
  case restore
  /// Of a deleted item, for good.
  case purge
}
