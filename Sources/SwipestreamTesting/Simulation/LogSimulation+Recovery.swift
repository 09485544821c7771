internal import EventLog
internal import EventSourcing

/// Opening the log again, and what it may hold then.
extension LogSimulation {
  /// Opens the log, if it is not open.
  ///
  /// - Parameter isDisturbed: whether the first starts may fail.
  /// - Returns: false where a lying disk has made that impossible, and the log says so.
  mutating func open(isDisturbed: Bool = true) throws(SimulationFailure) -> Bool {
    if isOver { return false }
    if store != nil { return true }
    var attempts = 0
    while store == nil {
      attempts += 1
      if attempts < 4 && isDisturbed { disturbRecovery() } else { storage.heal() }
      do throws(EventLogError) {
        store = try SegmentedEventStore.openStepped(
          directory: Self.directory, configuration: configuration, clock: clock, storage: storage)
        note("opened: \(store?.statistics.recoveryNote ?? "all is well")")
      } catch {
        note("not opened: \(error)")
        if try isEnd(error) { return false }
      }
      if storage.isStopped { stopMachine(isInRecovery: true) }
      if storage.faults.odds.isEmpty, store == nil, attempts > 4 {
        throw failure("it does not open, though nothing fails any more")
      }
    }
    storage.heal()
    return try settleDoubts()
  }

  /// Some starts fail, or stop half-way.
  private mutating func disturbRecovery() {
    switch Int.random(in: 0..<5, using: &random) {
    case 0:
      let calls = Int.random(in: 0..<40, using: &random)
      note("the machine will stop in call \(calls) of the start")
      storage.stop(afterCalls: calls)
    case 1:
      storage.faults = .everywhere(oneIn: 8)
      note("calls fail during the start")
    case 2:
      storage.faults.isFull = true
      note("the disk is full during the start")
    default: break
    }
  }

  /// - Returns: whether the history ends here.
  private mutating func isEnd(_ error: EventLogError) throws(SimulationFailure) -> Bool {
    switch error {
    case .storage, .unreadable(.failed): return false
    case .damaged, .unreadable(.damaged):
      guard isLying else { throw failure("refused a sound log: \(error)", kind: .lost) }
      return !endByDamage()
    case .inUse: throw failure("the lock of a process that is gone still holds")
    default: throw failure("the start was refused: \(error)")
    }
  }

  /// Finds out which of the batches in doubt are there, and compares all else.
  private mutating func settleDoubts() throws(SimulationFailure) -> Bool {
    guard let found = try everything() else { return false }
    let known = model.events.count
    if isLying && found.count < known {
      try acceptLostEnd(found)
    } else {
      guard model.events.isPrefix(of: found) else {
        throw failure("acknowledged events are missing or changed\(difference(found))", kind: .lost)
      }
      try settle(pending.map(\.batch), found)
    }
    pending = []
    note("\(known) events were acknowledged, \(found.count) are there")
    return try check()
  }

  /// In-doubt batches are in the log whole and in their order.
  private mutating func settle(
    _ batches: [AppendBatch], _ found: [RecordedEvent]
  ) throws(SimulationFailure) {
    for (index, batch) in batches.enumerated() {
      var next = model
      guard case .success = next.append(batch), !batch.isEmpty else { continue }
      if next.events.isPrefix(of: found) {
        model = next
        totals.inDoubtKept += 1
      } else {
        totals.inDoubtGone += 1
        // A batch may have met a full queue; else nothing is there behind one that is not.
        if configuration.queueBytes > 1 << 20 {
          totals.inDoubtGone += batches.count - index - 1
          break
        }
      }
    }
    guard found.count == model.events.count else {
      throw failure(
        "behind position \(model.events.count) there is what is no whole batch",
        kind: .halfVisible)
    }
  }

  /// A disk that says that it has written what it has not can lose the log's end. Still what is
  /// left is as it was, and no batch is there in part.
  private mutating func acceptLostEnd(_ found: [RecordedEvent]) throws(SimulationFailure) {
    guard found.isPrefix(of: model.events) else {
      throw failure("events are changed\(difference(found))", kind: .lost)
    }
    var left = LogModel()
    for batch in model.batches where left.events.count < found.count { left.append(batch) }
    guard left.events.count == found.count else {
      throw failure("the log ends within a batch", kind: .halfVisible)
    }
    totals.acknowledged -= model.batches.count - left.batches.count
    totals.liesUnnoticed += 1
    model = left
  }

  private func difference(_ found: [RecordedEvent]) -> String {
    let events = model.events
    let index = zip(found, events).enumerated().first { !$0.element.0.isSame(as: $0.element.1) }?
      .offset
    return index.map { ", first at position \($0 + 1)" }
      ?? ": \(found.count) of \(events.count) are there"
  }
}
