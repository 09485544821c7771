internal import EventSourcing

extension ItemList {
  /// Takes back an earlier command, by events that lead back to what was before it.
  ///
  /// What a section's traits forbid does not stand in the way: it is as it was.
  func undo(_ command: CommandID) throws(ServiceError) -> ListDecision {
    let steps = try journal.stepsToUndo(command, of: "item")
    try requireItems(of: steps)
    var events: [ListEvent] = []
    // Each step is taken back where the ones behind it were; one needs no copy.
    var draft = self
    draft.journal = UndoJournal()
    for (index, step) in steps.enumerated() {
      guard let event = try step.compensation(in: draft) else { continue }
      events.append(event)
      if index < steps.count - 1 { draft.apply(event) }
    }
    return Decision(
      events, outcome: .undone(command, results(of: steps, events)), undoes: command)
  }

  /// An item that is gone for good cannot get anything back.
  private func requireItems(of steps: [ListStep]) throws(ServiceError) {
    let gone = Set(steps.lazy.compactMap(\.item).filter { state($0) == nil }).sorted()
    guard let first = gone.first else { return }
    throw ServiceError(
      .rejected,
      gone.count == 1
        ? "item \(first) is gone, so the command cannot be taken back"
        : "\(gone.count) of the command's items are gone, so it cannot be taken back",
      ids: gone.map(\.rawValue))
  }

  private func results(of steps: [ListStep], _ events: [ListEvent]) -> BulkResults<ItemID> {
    let changed = Set(events.lazy.compactMap(\.undoneItem))
    var seen = Set<ItemID>()
    var results = BulkResults<ItemID>()
    for item in steps.reversed().lazy.compactMap(\.item) where seen.insert(item).inserted {
      results.add(item, changed: changed.contains(item))
    }
    return results
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

extension ListEvent {
  /// The item that an event of an undo changes; nil for a section or the list.
  fileprivate var undoneItem: ItemID? {
    switch self {
    case .itemAdded(let item, _, _, _), .itemConfigured(let item, _), .itemEdited(let item, _),
      .itemCompleted(let item, _),
      .itemReopened(let item, _), .itemDeleted(let item), .itemRestored(let item, _),
      .itemPurged(let item, _), .itemMoved(let item, _), .itemSwipeConfigured(let item, _),
      .itemSwipeCleared(let item):
      item
    case .created, .retitled, .sectionAdded, .sectionRetitled, .sectionMoved, .sectionRemoved,
      .sectionRestored, .traitsConfigured, .sectionStyled, .swipeConfigured, .lost:
      nil
    }
  }
}

extension ListStep {
  /// The event that leads back; nil where nothing is left to do.
  ///
  /// - Throws: `rejected` where the section to return to is gone.
  fileprivate func compensation(in list: ItemList) throws(ServiceError) -> ListEvent? {
    switch self {
    case .created, .purged: return nil
    case .added(let item), .restored(let item):
      let item = ItemID(slot: item)
      return list.state(item)?.contains(.deleted) == false ? .itemDeleted(item) : nil
    case .edited(let item, let text):
      let item = ItemID(slot: item)
      return list.texts.has(text, at: item) ? nil : .itemEdited(item, text: text)
    case .completed(let item, let spot):
      return .itemReopened(ItemID(slot: item), try list.place(of: item, at: spot))
    case .reopened(let item, let spot):
      return .itemCompleted(ItemID(slot: item), try list.place(of: item, at: spot))
    case .deleted(let item, let spot):
      return .itemRestored(ItemID(slot: item), try list.place(of: item, at: spot))
    case .moved(let item, let spot):
      let place = try list.place(of: item, at: spot)
      let item = ItemID(slot: item)
      return list.isAt(place, item) ? nil : .itemMoved(item, place)
    case .configured(let section, let sides):
      let section = SectionID(slot: section)
      let present = try list.sectionToReturn(to: section).swipe
      return sides.applied(to: present) == present ? nil : .swipeConfigured(section, sides)
    case .retitled(let title): return .retitled(title)
    case .section(let section, let step):
      return try step.compensation(of: SectionID(slot: section), in: list)
    case .itemConfigured(let item, let configuration):
      let changes = configuration.changes(of: list.settings[item] ?? .usual)
      return changes.isEmpty ? nil : .itemConfigured(ItemID(slot: item), changes)
    case .configuredRow(let item, let sides):
      guard sides != list.overrides[item] else { return nil }
      return sides.map { .itemSwipeConfigured(ItemID(slot: item), $0) }
        ?? .itemSwipeCleared(ItemID(slot: item))
    }
  }
}
