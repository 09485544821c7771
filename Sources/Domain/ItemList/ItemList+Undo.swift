internal import EventSourcing

extension ItemList {
  /// Takes back an earlier command, by events that lead back to what was before it.
  ///
  /// What a section's traits forbid does not stand in the way: it is as it was.
  func undo(_ command: CommandID) throws(ServiceError) -> ListDecision {
    let (events, results) = try takingBack(command)
    return Decision(events, outcome: .undone(command, results), undoes: command)
  }

  /// The item's section and its neighbours there; nil for one that is in no section.
  func spot(of item: ItemID) -> ListStep.Spot? {
    home(item).map {
      ListStep.Spot(
        section: $0.slot, above: order.number(before: item.slot),
        below: order.number(after: item.slot))
    }
  }

  /// Where an item goes that returns to where it was.
  fileprivate func place(
    of item: UInt32, at spot: ListStep.Spot
  ) throws(ServiceError) -> ItemPlace {
    let section = SectionID(slot: spot.section)
    _ = try sectionToReturn(to: section)
    let after = order.place(
      of: item, above: spot.above, below: spot.below, in: section.rawValue
    ) { home(ItemID(slot: $0)) == section }
    return ItemPlace(section: section, after: .optional(slot: after))
  }

  /// The section that something is led back to, which must not be removed.
  fileprivate func sectionToReturn(to id: SectionID) throws(ServiceError) -> SectionContent {
    guard let section = section(id) else {
      throw ServiceError(.rejected, "section \(id) is gone, so the command cannot be taken back")
    }
    return section
  }

  fileprivate func isAt(_ place: ItemPlace, _ item: ItemID) -> Bool {
    home(item) == place.section
      && order.number(before: item.slot) == place.after?.slot ?? 0
  }
}

extension ItemList: UndoableState {
  static let rowName = "item"

  func isThere(_ item: ItemID) -> Bool { state(item) != nil }

  func compensation(of step: ListStep) throws(ServiceError) -> ListEvent? {
    switch step {
    case .created, .purged: return nil
    case .added(let item), .restored(let item):
      let item = ItemID(slot: item)
      return state(item)?.contains(.deleted) == false ? .itemDeleted(item) : nil
    case .edited(let item, let text):
      let item = ItemID(slot: item)
      return texts.has(text, at: item) ? nil : .itemEdited(item, text: text)
    case .completed(let item, let spot):
      return .itemReopened(ItemID(slot: item), try place(of: item, at: spot))
    case .reopened(let item, let spot):
      return .itemCompleted(ItemID(slot: item), try place(of: item, at: spot))
    case .deleted(let item, let spot):
      return .itemRestored(ItemID(slot: item), try place(of: item, at: spot))
    case .moved(let item, let spot):
      let place = try place(of: item, at: spot)
      let item = ItemID(slot: item)
      return isAt(place, item) ? nil : .itemMoved(item, place)
    case .configured(let section, let sides):
      let section = SectionID(slot: section)
      let present = try sectionToReturn(to: section).swipe
      return sides.applied(to: present) == present ? nil : .swipeConfigured(section, sides)
    case .retitled(let title): return .retitled(title)
    case .section(let section, let change):
      return try change.compensation(of: SectionID(slot: section), in: self)
    case .itemConfigured(let item, let configuration):
      let changes = configuration.changes(of: settings[item] ?? .usual)
      return changes.isEmpty ? nil : .itemConfigured(ItemID(slot: item), changes)
    case .configuredRow(let item, let sides):
      guard sides != overrides[item] else { return nil }
      return sides.map { .itemSwipeConfigured(ItemID(slot: item), $0) }
        ?? .itemSwipeCleared(ItemID(slot: item))
    }
  }
}
