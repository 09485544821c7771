internal import EventLog
internal import EventSourcing

/// One round: appends and reads while the disk fails, until the machine stops or the log is closed.
extension LogSimulation {
  mutating func runRound() throws(SimulationFailure) {
    storage.faults = nextFaults()
    switch Int.random(in: 0..<6, using: &random) {
    case 0, 1:
      let calls = Int.random(in: 0..<150, using: &random)
      note("the machine will stop in call \(calls) from here")
      storage.stop(afterCalls: calls)
    case 2:
      // When all is written and nobody has an answer.
      let syncs = Int.random(in: 0..<20, using: &random)
      note("the machine will stop in sync \(syncs) from here")
      storage.stop(afterCalls: syncs, of: .sync)
    default: break
    }
    for _ in 0..<Int.random(in: 3...40, using: &random) where !storage.isStopped {
      clock.step(Int64.random(in: -3_000_000...5_000_000, using: &random))
      switch Int.random(in: 0..<20, using: &random) {
      case 0: toggleFullDisk()
      case 1...3: try readSomething()
      default: appendSomething()
      }
      try takeTurn()
    }
    try endRound()
  }

  private mutating func nextFaults() -> StorageFaults {
    var faults = StorageFaults()
    switch Int.random(in: 0..<6, using: &random) {
    case 0: faults = .everywhere(oneIn: 30)
    case 1: faults = .everywhere(oneIn: 6)
    case 2: faults.odds[.sync] = 5
    case 3: faults.odds[.write] = 5
    default: break
    }
    if isLying {
      switch Int.random(in: 0..<4, using: &random) {
      case 0: faults.liesOnSync = true
      case 1: faults.liesOnDirectorySync = true
      case 2: faults.lostWriteOdds = 20
      default: faults.misdirectedWriteOdds = 20
      }
    }
    note("faults: \(faults)")
    return faults
  }

  private mutating func toggleFullDisk() {
    storage.faults.isFull.toggle()
    if storage.faults.isFull { totals.fullDisks += 1 }
    note(storage.faults.isFull ? "the disk is full" : "the disk has room")
  }

  private mutating func appendSomething() {
    for _ in 0..<Int.random(in: 1...6, using: &random) {
      append(batches.next(&random, model: model))
    }
  }

  mutating func append(_ batch: AppendBatch) {
    let number = (pending.last?.number ?? 0) + 1
    pending.append(PendingBatch(number: number, batch: batch))
    store?.append(batch) { [answers] result in answers.take(number, result) }
  }

  /// Lets the writer do its work and judges its answers.
  mutating func takeTurn() throws(SimulationFailure) {
    guard let store else { return }
    let waiting = pending.count
    store.step()
    try judgeAnswers()
    note(
      "a turn with \(waiting) waiting, \(pending.count) after it; head \(store.head)"
        + (store.statistics.readOnlyReason.map { "; read-only: \($0)" } ?? "")
        + (storage.isStopped ? "; the machine has stopped" : ""))
    guard Int(store.head.rawValue) == model.events.count else {
      throw failure("the head is \(store.head), \(model.events.count) events were acknowledged")
    }
  }

  mutating func judgeAnswers() throws(SimulationFailure) {
    for answer in answers.removeAll() {
      guard let first = pending.first, first.number == answer.number else {
        throw failure("an answer came out of order, or twice")
      }
      pending.removeFirst()
      try judge(answer.result, to: first.batch)
    }
  }

  private mutating func judge(
    _ result: Result<AppendReceipt, AppendError>, to batch: AppendBatch
  ) throws(SimulationFailure) {
    switch result {
    case .failure(.readOnly), .failure(.overloaded): totals.refused += 1
    case .failure(.closed): throw failure("an open log says that it is closed")
    case .success, .failure(.conflict):
      let expected = model.append(batch)
      guard result == expected else { throw failure("answered \(result), not \(expected)") }
      if case .failure = result { totals.refused += 1 }
      if case .success = result, !batch.isEmpty { totals.acknowledged += 1 }
    }
  }

  /// After all has healed, the log takes events by itself, and owes nobody an answer.
  ///
  /// - Returns: false where a lying disk's damage keeps it from that.
  mutating func expectWriting() throws(SimulationFailure) -> Bool {
    note("healed; writing must go on")
    var wasWritten = false
    for _ in 0..<6 where !wasWritten {
      let known = model.events.count
      append(batches.plain())
      try takeTurn()
      wasWritten = model.events.count > known
    }
    if wasWritten && pending.isEmpty { return true }
    guard isLying else {
      throw failure("writing did not go on: \(store?.statistics.readOnlyReason ?? "no reason")")
    }
    return endByDamage()
  }

  private mutating func endRound() throws(SimulationFailure) {
    if storage.isStopped { return stopMachine(isInRecovery: false) }
    switch Int.random(in: 0..<4, using: &random) {
    case 0:
      stopMachine(isInRecovery: false)
    case 1:
      // As things are: what a last cut could not take back stays in doubt.
      store?.close()
      store = nil
      try judgeAnswers()
      note("closed, \(pending.count) in doubt")
    default:
      storage.heal()
      guard try expectWriting(), try check() else { return }
      if !isLying && random.chance(oneIn: 2) { try flipBits() }
    }
  }

  /// The process or the power is gone.
  mutating func stopMachine(isInRecovery: Bool) {
    let loss: StorageLoss = random.chance(oneIn: 3) ? .process : .power
    store = nil
    storage.restart(after: loss)
    storage.heal()
    if loss == .power { totals.powerCuts += 1 } else { totals.kills += 1 }
    if isInRecovery { totals.stopsInRecovery += 1 }
    note("\(loss == .power ? "the power is cut" : "the process is killed")")
  }
}
