public import EventSourcing

extension ItemList {
  typealias ListDecision = Decision<ListEvent, ListOutcome>

  public func decide(
    _ command: ListCommand, in context: DecisionContext
  ) throws(ServiceError) -> Decision<ListEvent, ListOutcome> {
    let decision = try decideUnbounded(command, in: context)
    try BulkLimit.check(decision.outcome.results, events: decision.eventCount, "items")
    return decision
  }

  private func decideUnbounded(
    _ command: ListCommand, in context: DecisionContext
  ) throws(ServiceError) -> ListDecision {
    if case .create(let title, let template) = command { return try create(title, template) }
    guard exists else { throw ServiceError(.notFound, "there is no such list") }
    switch command {
    case .create: preconditionFailure("decided above")
    case .retitle(let title):
      let changes = !Self.isSame(title, self.title)
      return Decision(event: changes ? .retitled(title) : nil, outcome: .done)
    case .section(let command): return try decide(command)
    case .add(let text, let section, let anchor, let settings):
      return try add(text, section, anchor, settings)
    case .edit(let item, let text, let configuration):
      return try edit(item, text, configuration)
    case .replace(let section, let texts): return try replace(section, texts)
    case .change(let change, let targets): return try decide(change, targets, at: context.time)
    case .erase(let targets): return try erase(targets)
    case .reorder(let targets, let section, let anchor):
      return try reorder(targets, section, anchor)
    case .swipe(let item, let gesture): return try swipe(item, gesture, at: context.time)
    case .press(let item, let gesture): return try press(item, gesture, at: context.time)
    case .configureSwipe(let scope, let change): return try configureSwipe(of: scope, change)
    case .undo(let command): return try undo(command)
    case .drag(let command):
      // Beside no sessions, as after a restart.
      var sessions = DragSessions()
      return try decide(command, in: context, &sessions)
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
    _ text: String, _ section: SectionID?, _ anchor: Anchor<ItemID>, _ settings: ItemSettings
  ) throws(ServiceError) -> ListDecision {
    let item = nextItem
    guard item.slot != 0 else { throw Self.noNumbersLeft }
    let target = try sectionToAdd(section)
    try check(anchor, in: target, moved: [])
    let after = itemAbove(anchor, in: target, moved: [])
    let place = ItemPlace(section: target, after: .optional(slot: after))
    return Decision(
      event: .itemAdded(item, text: text, place, settings), outcome: .added(item))
  }

  static let noNumbersLeft = ServiceError(.rejected, "the list has no numbers left")

  private func sectionToAdd(_ named: SectionID?) throws(ServiceError) -> SectionID {
    guard let named else {
      guard let first = sectionOrder.first(where: { section($0)?.traits.canAdd == true }) else {
        throw ServiceError(
          .rejected, "no section of the list takes new items: none has 'canAdd' true")
      }
      return first
    }
    guard try require(named).traits.canAdd else {
      throw ServiceError(.rejected, "section \(named) takes no new items: 'canAdd' is false")
    }
    return named
  }

  private func edit(
    _ item: ItemID, _ text: String?, _ configuration: ItemConfiguration
  ) throws(ServiceError) -> ListDecision {
    let target = Targets(item)
    try requireAll(target)
    try require(target, "must not be deleted to be edited") { !$0.contains(.deleted) }
    var events: [ListEvent] = []
    if let text, !texts.has(text, at: item) { events.append(.itemEdited(item, text: text)) }
    let changes = configuration.changes(of: settings[item.slot] ?? .usual)
    if !changes.isEmpty { events.append(.itemConfigured(item, changes)) }
    return Decision(events, outcome: .done)
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
