/// What can be asked of a list's sections.
public enum SectionCommand: Sendable, Equatable {
  case add(SectionContent, Anchor<SectionID>)
  case retitle(SectionID, SectionTitles)
  case move(SectionID, Anchor<SectionID>)
  /// With what happens to its items, which a section that has some needs.
  case remove(SectionID, SectionItems?)
  case configure(SectionID, SectionTraitsChange, SectionStyleChange)
}

/// A section's new header and footer. What is nil stays; what is a nil within goes.
public struct SectionTitles: Sendable, Equatable {
  public var header: String??
  public var footer: String??

  public init(header: String?? = nil, footer: String?? = nil) {
    self.header = header
    self.footer = footer
  }
}

/// What happens to the items of a section that is removed.
public enum SectionItems: Sendable, Equatable {
  /// They go to the end of another section, in their order.
  case move(to: SectionID)
  case delete
}

/// Which of a section's traits change.
public struct SectionTraitsChange: Sendable, Equatable {
  public var canAdd: Bool?
  public var canComplete: Bool?
  public var canDelete: Bool?
  public var canReorder: Bool?
  public var acceptsMoves: Bool?

  public init(
    canAdd: Bool? = nil, canComplete: Bool? = nil, canDelete: Bool? = nil,
    canReorder: Bool? = nil, acceptsMoves: Bool? = nil
  ) {
    self.canAdd = canAdd
    self.canComplete = canComplete
    self.canDelete = canDelete
    self.canReorder = canReorder
    self.acceptsMoves = acceptsMoves
  }

  func applied(to traits: SectionTraits) -> SectionTraits {
    SectionTraits(
      canAdd: canAdd ?? traits.canAdd, canComplete: canComplete ?? traits.canComplete,
      canDelete: canDelete ?? traits.canDelete, canReorder: canReorder ?? traits.canReorder,
      acceptsMoves: acceptsMoves ?? traits.acceptsMoves)
  }
}
