internal import EventSourcing

/// A state whose commands can be taken back: what mailboxes and lists share of it.
protocol UndoableState {
  associatedtype Event
  associatedtype Step: UndoStep

  /// What its things are called: "mail".
  static var rowName: String { get }

  var journal: UndoJournal<Step> { get set }

  func isThere(_ row: Step.Row) -> Bool

  /// Refuses to touch rows that are there, but not to be touched now.
  func checkTakingBack(of rows: some Sequence<Step.Row>) throws(ServiceError)

  /// The event that leads back from a step; nil where nothing is left to do.
  ///
  /// - Throws: `rejected` where there is no way back.
  func compensation(of step: Step) throws(ServiceError) -> Event?

  mutating func apply(_ event: Event)
}

extension UndoableState {
  func checkTakingBack(of _: some Sequence<Step.Row>) throws(ServiceError) {}

  /// The events that take an earlier command back, and what that does to each of its rows.
  func takingBack(
    _ command: CommandID
  ) throws(ServiceError) -> (events: [Event], results: BulkResults<Step.Row>) {
    let steps = try journal.stepsToUndo(command, of: Self.rowName)
    try requireRows(of: steps)
    var events: [Event] = []
    var changed = Set<Step.Row>()
    // Each step is taken back where the ones behind it were; one needs no copy.
    var draft = self
    draft.journal = UndoJournal()
    for (index, step) in steps.enumerated() {
      guard let event = try draft.compensation(of: step) else { continue }
      events.append(event)
      if let row = step.row { changed.insert(row) }
      if index < steps.count - 1 { draft.apply(event) }
    }
    return (events, Self.results(of: steps, changed))
  }

  /// A row that is gone for good cannot get anything back.
  private func requireRows(of steps: [Step]) throws(ServiceError) {
    let gone = Set(steps.lazy.compactMap(\.row).filter { !isThere($0) }).sorted()
    guard let first = gone.first else {
      return try checkTakingBack(of: steps.lazy.compactMap(\.row))
    }
    throw ServiceError(
      .rejected,
      gone.count == 1
        ? "\(Self.rowName) \(first) is gone, so the command cannot be taken back"
        : "\(gone.count) of the command's \(Self.rowName)s are gone, so it cannot be taken back",
      ids: gone.map(\.rawValue))
  }

  private static func results(
    of steps: [Step], _ changed: Set<Step.Row>
  ) -> BulkResults<Step.Row> {
    var seen = Set<Step.Row>()
    var results = BulkResults<Step.Row>()
    for row in steps.reversed().lazy.compactMap(\.row) where seen.insert(row).inserted {
      results.add(row, changed: changed.contains(row))
    }
    return results
  }
}
