import ActorRuntime
import EventSourcing
import SwipestreamTesting

/// Notes from where streams are read.
final class WatchedEventStore: EventStore {
  private let inner: InMemoryEventStore
  private let least = Lock<UInt64?>(nil)

  init(_ inner: InMemoryEventStore) { self.inner = inner }

  /// The least revision behind which a stream was read; nil where none was.
  var leastRevision: UInt64? { least.withLock { $0 } }

  func read(
    _ stream: StreamID, after revision: Revision, limit: ReadLimit
  ) throws(ReadError) -> [RecordedEvent] {
    least.withLock { $0 = min($0 ?? .max, revision.rawValue) }
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
