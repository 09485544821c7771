/// What a section lets its items do.
public struct SectionTraits: Sendable, Equatable {
  public var canAdd: Bool
  public var canComplete: Bool
  public var canDelete: Bool
  public var canReorder: Bool
  public var acceptsMoves: Bool

  public init(
    canAdd: Bool = true, canComplete: Bool = true, canDelete: Bool = true,
    canReorder: Bool = true, acceptsMoves: Bool = true
  ) {
    self.canAdd = canAdd
    self.canComplete = canComplete
    self.canDelete = canDelete
    self.canReorder = canReorder
    self.acceptsMoves = acceptsMoves
  }
}

/// A section as it is added.
public struct SectionContent: Sendable, Equatable {
  public var header: String?
  public var footer: String?
  public var traits: SectionTraits
  public var swipe: SwipeSettings
  /// Whether completed items go here; at most one section of a list.
  public var completedRole: Bool
  public var style: SectionStyle

  public init(
    header: String?, footer: String?, traits: SectionTraits, swipe: SwipeSettings,
    completedRole: Bool, style: SectionStyle = SectionStyle()
  ) {
    self.header = header
    self.footer = footer
    self.traits = traits
    self.swipe = swipe
    self.completedRole = completedRole
    self.style = style
  }
}

/// Where an item is: directly below `after` in the section, or at its top.
public struct ItemPlace: Sendable, Equatable {
  public var section: SectionID
  public var after: ItemID?

  public init(section: SectionID, after: ItemID?) {
    self.section = section
    self.after = after
  }
}

/// What happened in a list.
public enum ListEvent: Sendable, Equatable {
  case created(title: String, template: ListTemplate)
  /// Directly below the section `after`, or at the top.
  indirect case sectionAdded(SectionID, SectionContent, after: SectionID?)
  case retitled(String)
  /// Both as they are now.
  case sectionRetitled(SectionID, header: String?, footer: String?)
  case sectionMoved(SectionID, after: SectionID?)
  /// It has no items.
  case sectionRemoved(SectionID)
  /// It is there again as it was.
  case sectionRestored(SectionID, after: SectionID?)
  case traitsConfigured(SectionID, SectionTraits)
  case sectionStyled(SectionID, SectionStyle)
  case itemAdded(ItemID, text: String, ItemPlace, ItemSettings = ItemSettings())
  case itemConfigured(ItemID, ItemConfiguration)
  case itemEdited(ItemID, text: String)
  case itemCompleted(ItemID, ItemPlace)
  case itemReopened(ItemID, ItemPlace)
  case itemDeleted(ItemID)
  case itemRestored(ItemID, ItemPlace)
  case itemPurged(ItemID, erased: Bool)
  case itemMoved(ItemID, ItemPlace)
  indirect case swipeConfigured(SectionID, SwipeConfiguration)
  /// One item's row is swiped in its own way, wherever it goes, on the sides given: all that it has of
  /// its own.
  indirect case itemSwipeConfigured(ItemID, SwipeConfiguration)
  /// The item's row is swiped as its section's rows are again.
  case itemSwipeCleared(ItemID)
  /// Something that cannot be read any more: a repair of the log left this in its place.
  case lost
}
