internal import EventSourcing

extension ItemList {
  func reorder(
    _ targets: Targets<ItemID>, _ named: SectionID?, _ anchor: Anchor<ItemID>
  ) throws(ServiceError) -> ListDecision {
    guard let targets = try resolve(targets, where: { !$0.contains(.deleted) }) else {
      return .nothing
    }
    try requireAll(targets)
    if let named { _ = try require(named) }
    try require(targets, "must not be deleted to be moved") { !$0.contains(.deleted) }
    let target = if let named { named } else { try commonSection(targets) }
    try requireMoves(targets.ids, into: target)
    let moved = Set(targets.ids.map(\.slot))
    try check(anchor, in: target, moved: moved)
    let above = itemAbove(anchor, in: target, moved: moved)
    let moves = planMoves(
      inPresentOrder(moved), after: above,
      follower: above == 0 ? order.first(in: target.rawValue) : order.number(after: above),
      next: { order.number(after: $0) })
    let events = moves.map { move in
      ListEvent.itemMoved(
        ItemID(slot: move.number),
        ItemPlace(section: target, after: .optional(slot: move.after)))
    }
    guard targets.isBulk else { return Decision(events, outcome: .done) }
    let changed = Set(moves.map(\.number))
    var results = BulkResults<ItemID>()
    for item in targets.ids { results.add(item, changed: changed.contains(item.slot)) }
    return Decision(events, outcome: .results(results))
  }

  private func commonSection(_ targets: Targets<ItemID>) throws(ServiceError) -> SectionID {
    let home = homes[targets.ids[0].rawValue]
    guard targets.ids.allSatisfy({ homes[$0.rawValue] == home }) else {
      throw ServiceError(
        .invalid, "'section' must be given where the items are of several sections")
    }
    return SectionID(slot: home)
  }

  /// Section by section, each from the top.
  private func inPresentOrder(_ items: Set<UInt32>) -> [UInt32] {
    var bySection: [UInt32: [UInt32]] = [:]
    for item in items { bySection[homes[Int(item)], default: []].append(item) }
    return sectionOrder.flatMap { section in
      (bySection[section.slot] ?? []).sorted { order.precedes($0, $1) }
    }
  }

  /// Refuses an anchor that is not in sight in the section, or moves along.
  func check(
    _ anchor: Anchor<ItemID>, in section: SectionID, moved: Set<UInt32>
  ) throws(ServiceError) {
    guard let item = anchor.id else { return }
    guard states.indices.contains(item.rawValue) else {
      throw ServiceError(.invalid, "the anchor, item \(item), never existed")
    }
    guard !moved.contains(item.slot) else {
      throw ServiceError(.invalid, "the anchor, item \(item), must not be among the items moved")
    }
    guard let state = state(item), !state.contains(.deleted), home(item) == section else {
      throw ServiceError(
        .anchorGone, "the anchor, item \(item), is deleted or not in section \(section)")
    }
    guard !state.contains(.completed) || self.section(section)?.completedRole == true else {
      throw ServiceError(.anchorGone, "the anchor, item \(item), is completed")
    }
  }

  /// The item that stays and that the moved ones go below; 0 for the top of the section.
  func itemAbove(
    _ anchor: Anchor<ItemID>, in section: SectionID, moved: Set<UInt32>
  ) -> UInt32 {
    var item: UInt32
    switch anchor {
    case .after(let anchor): return anchor.slot
    case .first: return 0
    case .before(let anchor): item = order.number(before: anchor.slot)
    case .last: item = order.last(in: section.rawValue)
    }
    while item != 0, moved.contains(item) { item = order.number(before: item) }
    return item
  }
}
