public import EventSourcing

extension ItemList {
  typealias ListDecision = Decision<ListEvent, ListOutcome>

  public func decide(
    _ command: ListCommand, in context: DecisionContext
  ) throws(ServiceError) -> Decision<ListEvent, ListOutcome> {
    let decision = try decideUnbounded(command, in: context)
    try BulkLimit.check(decision, "items")
    return decision
  }

  private func decideUnbounded(
    _ command: ListCommand, in context: DecisionContext
  ) throws(ServiceError) -> ListDecision {
    if case .create(let title, let template) = command { return try create(title, template) }
    guard exists else { throw ServiceError(.notFound, "there is no such list") }
    switch command {
    case .create: preconditionFailure("decided above")
    case .add(let text, let section, let anchor): return try add(text, section, anchor)
    case .edit(let item, let text): return try edit(item, text)
    case .change(let change, let targets): return try decide(change, targets)
    case .erase(let targets): return try erase(targets)
    case .reorder(let targets, let section, let anchor):
      return try reorder(targets, section, anchor)
    case .swipe(let item, let gesture): return try swipe(item, gesture)
    case .press(let item, let gesture): return try press(item, gesture)
    case .configureSwipe(let scope, let change): return try configureSwipe(of: scope, change)
    case .undo(let command): return try undo(command)
    }
  }

  private func create(
    _ title: String, _ template: ListTemplate
  ) throws(ServiceError) -> ListDecision {
    guard !exists else { throw ServiceError(.rejected, "the list exists already") }
    var events = [ListEvent.created(title: title, template: template)]
    for (index, content) in template.sections.enumerated() {
      events.append(
        .sectionAdded(SectionID(index + 1), content, after: .optional(slot: UInt32(index))))
    }
    return Decision(events, outcome: .done)
  }

  private func add(
    _ text: String, _ section: SectionID?, _ anchor: Anchor<ItemID>
  ) throws(ServiceError) -> ListDecision {
    let item = nextItem
    guard item.slot != 0 else { throw ServiceError(.rejected, "the list has no numbers left") }
    let target = try sectionToAdd(section)
    try check(anchor, in: target, moved: [])
    let after = itemAbove(anchor, in: target, moved: [])
    let place = ItemPlace(section: target, after: .optional(slot: after))
    return Decision([.itemAdded(item, text: text, place)], outcome: .added(item))
  }

  private func sectionToAdd(_ named: SectionID?) throws(ServiceError) -> SectionID {
    guard let named else {
      guard let first = sectionOrder.first(where: { section($0)?.traits.canAdd == true }) else {
        throw ServiceError(.rejected, "no section of the list takes new items")
      }
      return first
    }
    guard try require(named).traits.canAdd else {
      throw ServiceError(.rejected, "section \(named) takes no new items")
    }
    return named
  }

  private func edit(_ item: ItemID, _ text: String) throws(ServiceError) -> ListDecision {
    let target = Targets(item)
    try requireAll(target)
    try require(target, "must not be deleted to be edited") { !$0.contains(.deleted) }
    let changes = !texts.has(text, at: item)
    return Decision(changes ? [.itemEdited(item, text: text)] : [], outcome: .done)
  }
}

extension ItemList.ListDecision {
  /// Of a selection that covers nothing.
  static var nothing: Self { Decision([], outcome: .results(BulkResults())) }
}

extension ItemList {
  /// Refuses the command where it names items that are not there.
  func requireAll(_ targets: Targets<ItemID>) throws(ServiceError) {
    let missing = targets.ids.filter { state($0) == nil }
    guard let first = missing.first else { return }
    throw ServiceError(
      .notFound,
      missing.count == 1
        ? "there is no item \(first)"
        : "there are no items with \(missing.count) of these ids",
      ids: missing.lazy.map(\.rawValue))
  }

  /// Refuses the command where one of its items, which all are there, is not as it must be.
  func require(
    _ targets: Targets<ItemID>, _ requirement: String, _ holds: (State) -> Bool
  ) throws(ServiceError) {
    try reject(targets.ids.filter { item in state(item).map { !holds($0) } ?? true }, requirement)
  }

  /// Refuses the command because of these items, if there are any.
  func reject(_ items: [ItemID], _ requirement: String) throws(ServiceError) {
    guard let first = items.first else { return }
    throw ServiceError(
      .rejected,
      items.count == 1 ? "item \(first) \(requirement)" : "\(items.count) items \(requirement)",
      ids: items.lazy.map(\.rawValue))
  }

  func require(_ id: SectionID) throws(ServiceError) -> SectionContent {
    guard let section = section(id) else {
      throw ServiceError(.notFound, "there is no section \(id)", ids: [id.rawValue])
    }
    return section
  }
}
