internal import EventSourcing

extension ItemList {
  /// Decides the commands that give items a state.
  func decide(
    _ change: ItemChange, _ targets: Targets<ItemID>, at time: Timestamp
  ) throws(ServiceError) -> ListDecision {
    guard let targets = try resolve(targets, where: { change.isMeant(for: $0) }) else {
      return .nothing
    }
    try requireAll(targets)
    if change == .complete { return try complete(targets, at: time) }
    let events: [ListEvent] =
      switch change {
      case .complete: preconditionFailure("decided above")
      case .reopen: try reopen(targets)
      case .delete: try delete(targets)
      case .restore: try returns(targets.ids, deletions).map { .itemRestored($0.item, $0.place) }
      case .purge: try purge(targets)
      }
    guard targets.isBulk else { return Decision(events, outcome: .done) }
    let changed = Set(events.lazy.compactMap(\.changedItem))
    var results = BulkResults<ItemID>()
    for item in targets.ids { results.add(item, changed: changed.contains(item)) }
    return Decision(events, outcome: .results(results))
  }

  private func complete(
    _ targets: Targets<ItemID>, at time: Timestamp
  ) throws(ServiceError) -> ListDecision {
    try require(targets, "must not be deleted to be completed") { !$0.contains(.deleted) }
    let items = targets.ids.filter { state($0)?.contains(.completed) == false }
    try reject(
      items.filter { !traits(of: $0).canComplete },
      "may not be completed in this section: 'canComplete' is false")
    var completions = ItemCompletions(in: self, at: time)
    for item in items { try completions.complete(item) }
    guard targets.isBulk else {
      let next = items.first.flatMap { completions.next[$0] }
      return Decision(completions.events, outcome: next.map { .completed($0) } ?? .done)
    }
    let changed = Set(items)
    var results = BulkResults<ItemID>()
    for item in targets.ids {
      results.add(item, changed: changed.contains(item), next: completions.next[item])
    }
    return Decision(completions.events, outcome: .results(results))
  }

  private func reopen(_ targets: Targets<ItemID>) throws(ServiceError) -> [ListEvent] {
    try require(targets, "must not be deleted to be reopened") { !$0.contains(.deleted) }
    let items = targets.ids.filter { state($0)?.contains(.completed) == true }
    // What was completed where it is stays there: only what went away has somewhere to return to.
    let staying = items.filter { completions[$0.slot] == nil }
    return staying.map { .itemReopened($0, presentPlace($0)) }
      + (try returns(items, completions)).map { .itemReopened($0.item, $0.place) }
  }

  private func delete(_ targets: Targets<ItemID>) throws(ServiceError) -> [ListEvent] {
    let items = targets.ids.filter { state($0)?.contains(.deleted) == false }
    try reject(
      items.filter { !traits(of: $0).canDelete },
      "may not be deleted in this section: 'canDelete' is false")
    return items.map { .itemDeleted($0) }
  }

  private func purge(_ targets: Targets<ItemID>) throws(ServiceError) -> [ListEvent] {
    try require(targets, Self.purgeRule) { $0.contains(.deleted) }
    return targets.ids.map { .itemPurged($0, erased: false) }
  }

  /// Purges items and has their text taken out of the log; also of those that are purged already,
  /// so that whoever forgot to ask for it can still do so.
  func erase(_ targets: Targets<ItemID>) throws(ServiceError) -> ListDecision {
    guard let targets = try resolve(targets, where: { ItemChange.purge.isMeant(for: $0) }) else {
      return .nothing
    }
    if let present = Targets(set: targets.ids.filter({ purgedState($0) == nil })) {
      try requireAll(present)
      try require(present, Self.purgeRule) { $0.contains(.deleted) }
    }
    var events: [ListEvent] = []
    var results = BulkResults<ItemID>()
    for item in targets.ids {
      let isErased = purgedState(item)?.contains(.erased) == true
      if !isErased { events.append(.itemPurged(item, erased: true)) }
      results.add(item, changed: !isErased)
    }
    return Decision(events, outcome: targets.isBulk ? .results(results) : .done)
  }

  private static let purgeRule = "must be deleted to be purged"

  /// Where those of the items that left go back to, in the order in which they do.
  private func returns(
    _ items: [ItemID], _ departures: [UInt32: Departure]
  ) throws(ServiceError) -> [(item: ItemID, place: ItemPlace)] {
    var returns = ItemReturns(to: self)
    let left = items.compactMap { item in departures[item.slot].map { (item: item, from: $0) } }
    let places = left.sorted { $0.from.sequence > $1.from.sequence }.map { item, departure in
      (item: item, place: returns.place(item, from: departure))
    }
    try reject(
      places.lazy.filter { $0.place == nil }.map(\.item),
      "cannot return, as there is no section for it; add one with add-section first")
    return places.compactMap { item, place in place.map { (item, $0) } }
  }

  /// Where an item is that is not deleted.
  func presentPlace(_ item: ItemID) -> ItemPlace {
    ItemPlace(
      section: SectionID(slot: homes[item.rawValue]),
      after: .optional(slot: order.number(before: item.slot)))
  }

  /// What the section that holds the item lets it do.
  func traits(of item: ItemID) -> SectionTraits {
    home(item).flatMap { section($0)?.traits } ?? SectionTraits()
  }
}

extension ListEvent {
  /// The item whose state the event changes.
  fileprivate var changedItem: ItemID? {
    switch self {
    case .itemCompleted(let item, _), .itemReopened(let item, _), .itemDeleted(let item),
      .itemRestored(let item, _), .itemPurged(let item, _):
      item
    default: nil
    }
  }
}
