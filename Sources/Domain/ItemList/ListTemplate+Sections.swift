extension ListTemplate {
  /// The sections that a list of this template begins with, in order; those of a list are its
  /// state's to tell.
  public var sections: [SectionContent] {
    switch self {
    case .list: []
    case .plain:
      [
        SectionContent(
          header: nil, footer: nil, traits: SectionTraits(), swipe: SwipeSettings(),
          completedRole: false)
      ]
    case .todo:
      [
        SectionContent(
          header: "To do", footer: nil, traits: SectionTraits(), swipe: .todoOpen,
          completedRole: false),
        SectionContent(
          header: "Completed", footer: nil,
          traits: SectionTraits(
            canAdd: false, canComplete: false, canReorder: false, acceptsMoves: false),
          swipe: .todoCompleted, completedRole: true),
      ]
    }
  }
}
