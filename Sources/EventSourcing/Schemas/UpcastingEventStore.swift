internal import FastJSON

/// A log whose events are all read in their present form.
///
/// It stands between the engine, which keeps the bytes as they were written, and all that gives
/// events a meaning: aggregates, views, subscriptions, reads and states of the past. An event that
/// needs no step comes through as stored; so does one of a schema that this program does not know,
/// for whoever decodes it to refuse and whoever passes it on to pass on.
public struct UpcastingEventStore: EventStore {
  /// The log as it is stored.
  public let stored: any EventStore
  private let upcasters: Upcasters

  public init(_ stored: any EventStore, _ upcasters: Upcasters) {
    self.stored = stored
    self.upcasters = upcasters
  }

  public func read(
    after position: GlobalPosition, limit: ReadLimit
  ) throws(ReadError) -> [RecordedEvent] {
    upcasters.upcast(try stored.read(after: position, limit: limit))
  }

  public func read(
    before position: GlobalPosition, limit: ReadLimit
  ) throws(ReadError) -> [RecordedEvent] {
    upcasters.upcast(try stored.read(before: position, limit: limit))
  }

  public func read(
    _ stream: StreamID, after revision: Revision, limit: ReadLimit
  ) throws(ReadError) -> [RecordedEvent] {
    upcasters.upcast(try stored.read(stream, after: revision, limit: limit))
  }

  public func visit(
    after position: GlobalPosition, limit: ReadLimit, _ body: (EventView) -> Bool
  ) throws(ReadError) {
    if upcasters.isEmpty { return try stored.visit(after: position, limit: limit, body) }
    let parser = JSONParser()
    defer { withExtendedLifetime(parser) {} }
    try stored.visit(after: position, limit: limit) { upcasters.show($0, parser, to: body) }
  }

  public func visit(
    _ stream: StreamID, after revision: Revision, limit: ReadLimit, _ body: (EventView) -> Bool
  ) throws(ReadError) {
    if upcasters.isEmpty { return try stored.visit(stream, after: revision, limit: limit, body) }
    let parser = JSONParser()
    defer { withExtendedLifetime(parser) {} }
    try stored.visit(stream, after: revision, limit: limit) {
      upcasters.show($0, parser, to: body)
    }
  }

  // MARK: What no schema has a part in

  public var logID: LogID { stored.logID }
  public var head: GlobalPosition { stored.head }
  public var statistics: StoreStatistics { stored.statistics }

  public func append(
    _ batch: AppendBatch,
    completion: @escaping @Sendable (Result<AppendReceipt, AppendError>) -> Void
  ) {
    stored.append(batch, completion: completion)
  }

  /// - Parameter redactions: of the events as they are stored.
  public func redact(_ redactions: [Redaction]) throws(RedactionError) {
    try stored.redact(redactions)
  }

  public func revision(of stream: StreamID) throws(ReadError) -> Revision {
    try stored.revision(of: stream)
  }

  public func command(
    _ id: CommandID, in stream: StreamID
  ) throws(ReadError) -> RecordedCommand? {
    try stored.command(id, in: stream)
  }

  public func prefetch(_ key: CommandKey) { stored.prefetch(key) }

  public func mayRemember(_ key: CommandKey) -> Bool { stored.mayRemember(key) }

  public func position(at time: Timestamp) throws(ReadError) -> GlobalPosition {
    try stored.position(at: time)
  }

  public func observeHead(
    _ body: @escaping @Sendable (GlobalPosition) -> Void
  ) -> HeadObservation {
    stored.observeHead(body)
  }

  public func cancel(_ observation: HeadObservation) { stored.cancel(observation) }
}
