import ActorRuntime
import EventSourcing
import SwipestreamTesting

/// Notes which streams are read, and from where; holds their readers up where a test wants that.
final class WatchedEventStore: EventStore {
  private struct Reads {
    var streams: [StreamID] = []
    var least: UInt64?
    var isHolding = false
    var held = 0
  }

  private let inner: InMemoryEventStore
  private let reads = Monitor(Reads())

  init(_ inner: InMemoryEventStore) { self.inner = inner }

  /// The least revision behind which a stream was read; nil where none was.
  var leastRevision: UInt64? { reads.change { $0.least } }
  /// In the order of the reads.
  var readStreams: [StreamID] { reads.change { $0.streams } }
  var heldReads: Int { reads.change { $0.held } }

  func holdReads() { reads.change { $0.isHolding = true } }
  func letReadsGo() { reads.change { $0.isHolding = false } }

  func read(
    _ stream: StreamID, after revision: Revision, limit: ReadLimit
  ) throws(ReadError) -> [RecordedEvent] {
    reads.change { reads in
      reads.streams.append(stream)
      reads.least = min(reads.least ?? .max, revision.rawValue)
      reads.held += 1
    }
    _ = reads.wait { $0.isHolding ? nil : true }
    reads.change { $0.held -= 1 }
    return try inner.read(stream, after: revision, limit: limit)
  }

  var logID: LogID { inner.logID }
  var head: GlobalPosition { inner.head }
  var statistics: StoreStatistics { inner.statistics }
  func append(
    _ batch: AppendBatch,
    completion: @escaping @Sendable (Result<AppendReceipt, AppendError>) -> Void
  ) {
    inner.append(batch, completion: completion)
  }
  func read(after position: GlobalPosition, limit: ReadLimit) throws(ReadError) -> [RecordedEvent] {
    try inner.read(after: position, limit: limit)
  }
  func read(before position: GlobalPosition, limit: ReadLimit) throws(ReadError) -> [RecordedEvent]
  {
    try inner.read(before: position, limit: limit)
  }
  func revision(of stream: StreamID) throws(ReadError) -> Revision {
    try inner.revision(of: stream)
  }
  func redact(_ redactions: [Redaction]) throws(RedactionError) { try inner.redact(redactions) }
  func command(_ id: CommandID, in stream: StreamID) throws(ReadError) -> RecordedCommand? {
    try inner.command(id, in: stream)
  }
  func position(at time: Timestamp) throws(ReadError) -> GlobalPosition {
    try inner.position(at: time)
  }
  func observeHead(_ body: @escaping @Sendable (GlobalPosition) -> Void) -> HeadObservation {
    inner.observeHead(body)
  }
  func cancel(_ observation: HeadObservation) { inner.cancel(observation) }
}
