public import EventSourcing

extension ItemList {
  public func decide(
    _ command: ListCommand, on source: ItemList, in context: DecisionContext
  ) throws(ServiceError) -> Decision<ListEvent, ListOutcome> {
    guard case .create(let title, let template) = command, case .list(let name) = template else {
      return try decide(command, in: context)
    }
    guard !exists else { throw ServiceError(.rejected, "the list exists already") }
    guard source.exists else {
      throw ServiceError(.notFound, "there is no list '\(name)' to take over")
    }
    let open = try source.allOpen(context)
    try BulkLimit.check(textBytes: open.texts.byteCount)
    let events = [.created(title: title, template: template)] + open.contents
    try BulkLimit.check(ListOutcome.done.results, events: events.count, "items")
    return Decision(events, outcome: .done)
  }

  /// The list with all its items open, each where it would be reopened to.
  private func allOpen(_ context: DecisionContext) throws(ServiceError) -> ItemList {
    let completed = (1..<max(states.count, 1)).lazy.map { ItemID($0) }
      .filter { self.state($0) == .completed }
    guard let targets = Targets(set: Array(completed)) else { return self }
    var open = self
    open.journal = UndoJournal()
    open.apply(try decide(.change(.reopen, targets), in: context), of: context.command)
    return open
  }

  /// The events that make these sections and items in a new list, numbered anew.
  private var contents: [ListEvent] {
    var events: [ListEvent] = []
    var section: SectionID?
    var item = ItemID(0)
    for old in sectionOrder {
      guard let content = self.section(old) else { continue }
      let new = SectionID((section?.rawValue ?? 0) + 1)
      events.append(.sectionAdded(new, content, after: section))
      section = new
      var above: ItemID?
      var number = order.first(in: old.rawValue)
      while number != 0 {
        item = ItemID(item.rawValue + 1)
        events.append(
          .itemAdded(
            item, text: texts[ItemID(slot: number)], ItemPlace(section: new, after: above),
            settings[number] ?? .usual))
        if let sides = overrides[number] { events.append(.itemSwipeConfigured(item, sides)) }
        above = item
        number = order.number(after: number)
      }
    }
    return events
  }
}
