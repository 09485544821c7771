internal import EventLog
internal import EventSourcing

/// Compares what the log answers with what it must.
extension LogSimulation {
  private static let wide = ReadLimit(events: 1_000_000, bytes: 1 << 30)

  /// All events, in pieces; nil where a lying disk's damage is met, and named.
  mutating func everything() throws(SimulationFailure) -> [RecordedEvent]? {
    guard let store else { return nil }
    let limit = ReadLimit(
      events: Int.random(in: 1...200, using: &random),
      bytes: Int.random(in: 1...100_000, using: &random))
    return try reading { () throws(ReadError) in
      var events: [RecordedEvent] = []
      while true {
        let more = try store.read(after: GlobalPosition(UInt64(events.count)), limit: limit)
        if more.isEmpty { return events }
        events += more
      }
    }
  }

  /// - Returns: nil where a lying disk's damage is met, and named.
  private mutating func reading<Result>(
    _ body: () throws(ReadError) -> Result
  ) throws(SimulationFailure) -> Result? {
    do throws(ReadError) {
      return try body()
    } catch {
      if isLying, case .damaged = error {
        note("damage is named: \(error)")
        _ = endByDamage()
        return nil
      }
      throw failure("a read failed on a disk that does not: \(error)")
    }
  }

  /// A lying disk has done damage that the log names: there is nothing more to see.
  mutating func endByDamage() -> Bool {
    totals.liesNamed += 1
    isOver = true
    store = nil
    storage.restart(after: .process)
    return false
  }

  /// Everything that the log can be asked.
  ///
  /// - Returns: false where a lying disk's damage is met, and named.
  mutating func check() throws(SimulationFailure) -> Bool {
    guard let found = try everything() else { return false }
    guard found.isSame(as: model.events) else {
      throw failure("the log does not hold what was acknowledged", kind: .lost)
    }
    guard try checkBackwards() else { return false }
    for stream in model.streams {
      guard try check(stream) else { return false }
    }
    guard try checkCommands() else { return false }
    return try checkTimes()
  }

  private mutating func checkBackwards() throws(SimulationFailure) -> Bool {
    guard let store else { return false }
    let events = try reading { () throws(ReadError) in
      try store.read(before: GlobalPosition(.max), limit: Self.wide)
    }
    guard let events else { return false }
    guard events.isSame(as: model.events.reversed()) else {
      throw failure("read backwards, the log is another one")
    }
    return true
  }

  private mutating func check(_ stream: StreamID) throws(SimulationFailure) -> Bool {
    guard let store else { return false }
    let expected = model.events(of: stream)
    let from = Int.random(in: 0...expected.count, using: &random)
    let answers = try reading {
      () throws(ReadError) -> ([RecordedEvent], [RecordedEvent], Revision) in
      (
        try store.read(stream, after: .none, limit: Self.wide),
        try store.read(stream, after: Revision(UInt64(from)), limit: Self.wide),
        try store.revision(of: stream)
      )
    }
    guard let answers else { return false }
    guard answers.0.isSame(as: expected), answers.1.isSame(as: expected[from...]),
      answers.2 == model.revision(of: stream)
    else { throw failure("\(stream) by itself is not what it is in the log") }
    return true
  }

  private mutating func checkCommands() throws(SimulationFailure) -> Bool {
    guard let store else { return false }
    let horizon = configuration.commandHorizon
    for command in model.commands.suffix(min(horizon, 200) + 40) {
      let id = command.recorded.id
      let answer = try reading { () throws(ReadError) in
        try store.command(id, in: command.stream)
      }
      guard let answer else { return false }
      guard answer == model.command(id, in: command.stream, horizon: horizon) else {
        throw failure("command \(id) of \(command.stream) is remembered wrongly")
      }
    }
    return true
  }

  private mutating func checkTimes() throws(SimulationFailure) -> Bool {
    guard let store, let last = model.events.last?.time.microseconds else { return true }
    let first = model.events[0].time.microseconds
    for _ in 0..<10 {
      let time = Timestamp(microseconds: Int64.random(in: first - 9...last + 9, using: &random))
      let answer = try reading { () throws(ReadError) in try store.position(at: time) }
      guard let answer else { return false }
      guard answer == model.position(at: time) else {
        throw failure("the position at \(time) is \(answer), not \(model.position(at: time))")
      }
    }
    return true
  }

  /// A read in the middle of everything: it may fail only where the machine has stopped or opening
  /// a file fails, and never brings anything but what was acknowledged.
  mutating func readSomething() throws(SimulationFailure) {
    guard let store, !model.events.isEmpty else { return }
    let from = Int.random(in: 0..<model.events.count, using: &random)
    let limit = ReadLimit(events: Int.random(in: 1...20, using: &random))
    let answer = Result { () throws(ReadError) in
      try store.read(after: GlobalPosition(UInt64(from)), limit: limit)
    }
    switch answer {
    case .success(let events):
      // Its bytes may end it early, with one event at least.
      guard !events.isEmpty, events.isPrefix(of: model.events[from...]) else {
        throw failure("a read after \(from) brought other events", kind: .lost)
      }
    case .failure(.failed): break
    case .failure(let error):
      guard isLying else { throw failure("a sound log cannot be read: \(error)", kind: .lost) }
    }
  }
}
