internal import ActorRuntime
public import EventSourcing
internal import FastJSON

extension SegmentedEventStore {
  public var logID: LogID { core.log }

  public var head: GlobalPosition { GlobalPosition(core.head) }

  /// Puts a batch in the line; never blocks.
  ///
  /// - Parameters:
  ///   - batch: becomes durable as a whole or not at all.
  ///   - completion: called on the `log-writer` thread; once that has ended, with `closed`, on the
  ///     caller's. It must not block, nor call ``close()``.
  public func append(
    _ batch: AppendBatch,
    completion: @escaping @Sendable (Result<AppendReceipt, AppendError>) -> Void
  ) {
    queue.push(batch, completion: completion)
  }

  public func read(
    after position: GlobalPosition, limit: ReadLimit
  ) throws(ReadError) -> [RecordedEvent] {
    try core.reader.events(after: position.rawValue, head: core.head, limit: limit)
  }

  public func read(
    before position: GlobalPosition, limit: ReadLimit
  ) throws(ReadError) -> [RecordedEvent] {
    try core.reader.events(before: position.rawValue, head: core.head, limit: limit)
  }

  public func read(
    _ stream: StreamID, after revision: Revision, limit: ReadLimit
  ) throws(ReadError) -> [RecordedEvent] {
    try core.reader.events(of: stream, after: revision.rawValue, limit: limit)
  }

  public func visit(
    after position: GlobalPosition, limit: ReadLimit, _ body: (EventView) -> Bool
  ) throws(ReadError) {
    try core.reader.visit(after: position.rawValue, head: core.head, limit: limit, body)
  }

  public func visit(
    _ stream: StreamID, after revision: Revision, limit: ReadLimit, _ body: (EventView) -> Bool
  ) throws(ReadError) {
    try core.reader.visit(stream, after: revision.rawValue, limit: limit, body)
  }

  public func revision(of stream: StreamID) throws(ReadError) -> Revision {
    try core.revisions.revision(of: stream)
  }

  public func command(
    _ id: CommandID, in stream: StreamID
  ) throws(ReadError) -> RecordedCommand? {
    let key = CommandKey(id, in: stream).rawValue
    guard let position = core.horizon.withLock({ $0.position(of: key) }) else {
      // It may be one of those that cannot be read: to say "no" would let it write twice.
      if let gap = core.horizonGap { throw gap }
      return nil
    }
    let event = try core.reader.event(at: position)
    // The key is a hash: the record says whether it is this command's.
    guard event.stream == stream,
      let command = EventMeta.recordedCommand(in: event, parser: JSONParser()), command.id == id
    else { return nil }
    return command
  }

  public func prefetch(_ key: CommandKey) {
    core.horizon.withLock { $0.prefetch(key.rawValue) }
  }

  public func mayRemember(_ key: CommandKey) -> Bool {
    core.horizonGap != nil || core.horizon.withLock { $0.position(of: key.rawValue) != nil }
  }

  /// Replaces the records in their files, by way of a redo file: a crash at any moment leaves each
  /// with its old text or its new one after the next start.
  public func redact(_ redactions: [Redaction]) throws(RedactionError) {
    try redactor.redact(redactions)
  }

  public func position(at time: Timestamp) throws(ReadError) -> GlobalPosition {
    GlobalPosition(try core.reader.position(at: time.microseconds, head: core.head))
  }

  /// `body` is called on the `log-writer` thread, after the completions of what moved the head. One
  /// call may still be under way when ``cancel(_:)`` returns.
  public func observeHead(
    _ body: @escaping @Sendable (GlobalPosition) -> Void
  ) -> HeadObservation {
    core.observers.add(body)
  }

  public func cancel(_ observation: HeadObservation) { core.observers.remove(observation) }

  public var statistics: StoreStatistics {
    let segments = core.catalog.all
    var statistics = StoreStatistics(
      segments: segments.count, bytes: segments.reduce(0) { $0 + $1.length },
      readOnlyReason: core.readOnlyReason.withLock { $0 }, recoveryNote: recoveryNote,
      rememberedCommands: core.horizon.withLock { $0.count })
    statistics.scrub = core.scrub.withLock { $0 }
    return statistics
  }
}
