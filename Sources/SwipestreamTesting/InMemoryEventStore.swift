internal import ActorRuntime
public import EventSourcing
internal import FastJSON

/// An event store that keeps its events in memory and is otherwise all that an engine must be.
///
/// Completions and head observers run on the threads of the callers of ``append(_:completion:)``,
/// never two at a time and in the order of the batches; an append from within one is taken in
/// and answered after it.
public final class InMemoryEventStore: EventStore {
  private let state = Lock(StoredEvents())
  private let notices = NoticeQueue()

  public let logID: LogID

  public init(logID: LogID = .random()) { self.logID = logID }

  public var head: GlobalPosition { state.withLock { $0.head } }

  public func append(
    _ batch: AppendBatch,
    completion: @escaping @Sendable (Result<AppendReceipt, AppendError>) -> Void
  ) {
    state.withLock { state in
      let result = state.append(batch)
      notices.add { completion(result) }
      guard case .success = result, !batch.isEmpty else { return }
      let head = state.head
      for observer in state.observers.values { notices.add { observer(head) } }
    }
    notices.deliver()
  }

  public func read(
    after position: GlobalPosition, limit: ReadLimit
  ) throws(ReadError) -> [RecordedEvent] {
    try state.withLock { state throws(ReadError) in
      try state.checkReadable()
      let first = Int(clamping: position.rawValue)
      guard first < state.events.count else { return [] }
      return limit.prefix(of: state.events[first...])
    }
  }

  public func read(
    before position: GlobalPosition, limit: ReadLimit
  ) throws(ReadError) -> [RecordedEvent] {
    try state.withLock { state throws(ReadError) in
      try state.checkReadable()
      let end = min(Int(clamping: position.rawValue) - 1, state.events.count)
      return end < 1 ? [] : limit.prefix(of: state.events[..<end].reversed())
    }
  }

  public func read(
    _ stream: StreamID, after revision: Revision, limit: ReadLimit
  ) throws(ReadError) -> [RecordedEvent] {
    try state.withLock { state throws(ReadError) in
      try state.checkReadable()
      let events = state.events
      let indices = state.streams[stream, default: []]
        .dropFirst(Int(clamping: revision.rawValue))
      return limit.prefix(of: indices.lazy.map { events[$0] })
    }
  }

  public func revision(of stream: StreamID) throws(ReadError) -> Revision {
    try state.withLock { state throws(ReadError) in
      try state.checkReadable()
      return state.revision(of: stream)
    }
  }

  public func command(
    _ id: CommandID, in stream: StreamID
  ) throws(ReadError) -> RecordedCommand? {
    let candidates = try state.withLock { state throws(ReadError) in
      try state.checkReadable()
      return state.commands[CommandKey(id, in: stream), default: []].map { state.events[$0] }
    }
    let parser = JSONParser()
    // Two commands may share a key, so the record has the last word; of one id the newer command counts.
    return candidates.lazy.filter { $0.stream == stream }
      .compactMap { EventMeta.recordedCommand(in: $0, parser: parser) }.last { $0.id == id }
  }

  public func redact(_ redactions: [Redaction]) throws(RedactionError) {
    try state.withLock { state throws(RedactionError) in try state.redact(redactions) }
  }

  public func position(at time: Timestamp) throws(ReadError) -> GlobalPosition {
    try state.withLock { state throws(ReadError) in
      try state.checkReadable()
      return state.position(at: time)
    }
  }

  public func observeHead(
    _ body: @escaping @Sendable (GlobalPosition) -> Void
  ) -> HeadObservation {
    state.withLock { state in
      state.lastObserver += 1
      state.observers[state.lastObserver] = body
      return HeadObservation(id: state.lastObserver)
    }
  }

  public func cancel(_ observation: HeadObservation) {
    state.withLock { $0.observers[observation.id] = nil }
  }

  public var statistics: StoreStatistics {
    state.withLock { state in
      StoreStatistics(
        segments: 1, bytes: state.byteCount, readOnlyReason: state.readOnlyReason,
        recoveryNote: nil, rememberedCommands: state.commands.count)
    }
  }

  /// Refuses every append from now on.
  public func close() { state.withLock { $0.isClosed = true } }

  /// Lets every read fail with `error` until it is called with nil.
  public func failReads(with error: ReadError?) { state.withLock { $0.readFailure = error } }

  /// Refuses every append as `read-only` until it is called with nil.
  public func refuseAppends(because reason: String?) {
    state.withLock { $0.readOnlyReason = reason }
  }
}

extension ReadLimit {
  /// As many of `events` as the limit allows, but one if there is one.
  fileprivate func prefix(of events: some Sequence<RecordedEvent>) -> [RecordedEvent] {
    var taken: [RecordedEvent] = []
    var bytes = self.bytes
    for event in events {
      bytes -= event.data.count + event.meta.count
      if taken.count == self.events || bytes < 0 && !taken.isEmpty { break }
      taken.append(event)
    }
    return taken
  }
}

/// Calls in the order in which they were added, one at a time, whichever thread makes them.
private final class NoticeQueue: Sendable {
  private struct State {
    var waiting: [@Sendable () -> Void] = []
    var isDelivering = false
  }

  private let state = Lock(State())

  func add(_ notice: @escaping @Sendable () -> Void) {
    state.withLock { $0.waiting.append(notice) }
  }

  func deliver() {
    while let notices = takeTurn() {
      for notice in notices { notice() }
      state.withLock { $0.isDelivering = false }
    }
  }

  private func takeTurn() -> [@Sendable () -> Void]? {
    state.withLock { state in
      if state.isDelivering || state.waiting.isEmpty { return nil }
      state.isDelivering = true
      defer { state.waiting = [] }
      return state.waiting
    }
  }
}
