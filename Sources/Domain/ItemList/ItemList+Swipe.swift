internal import EventSourcing

extension ItemList {
  /// Decides how a section's rows are swiped, or one item's.
  func configureSwipe(
    of scope: SwipeScope, _ change: SwipeChange
  ) throws(ServiceError) -> ListDecision {
    switch scope {
    case .section(let section): try configureSwipe(of: section, change)
    case .item(let item): try configureSwipe(of: item, change)
    }
  }

  private func configureSwipe(
    of id: SectionID, _ change: SwipeChange
  ) throws(ServiceError) -> ListDecision {
    let section = try require(id)
    let row = SwipePreset.Row.item(completed: section.completedRole)
    guard let configuration = try change.configuration(for: row) else {
      return Decision([], outcome: .done)
    }
    let changes = configuration.applied(to: section.swipe) != section.swipe
    return Decision(changes ? [.swipeConfigured(id, configuration)] : [], outcome: .done)
  }

  private func configureSwipe(
    of item: ItemID, _ change: SwipeChange
  ) throws(ServiceError) -> ListDecision {
    try requireAll(Targets(item))
    let present = overrides[item.slot]
    let row = SwipePreset.Row.item(completed: state(item)?.contains(.completed) == true)
    guard let configuration = try change.configuration(for: row) else {
      return Decision(present == nil ? [] : [.itemSwipeCleared(item)], outcome: .done)
    }
    try overrides.requireRoom(for: item.slot)
    let sides = configuration.applied(to: present)
    return Decision(
      sides == present ? [] : [.itemSwipeConfigured(item, sides)], outcome: .done)
  }
}
