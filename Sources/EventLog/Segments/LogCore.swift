internal import ActorRuntime
internal import EventSourcing
internal import Synchronization

/// What readers and the writer share. All of it is about durable events only.
final class LogCore: Sendable {
  let log: LogID
  let catalog: Catalog
  let indexes: SegmentIndexes
  let reader: LogReader
  let revisions: StreamRevisions
  let horizon: Lock<CommandHorizon>
  /// Why not all commands of the horizon are known; nil where they are.
  let horizonGap: ReadError?
  let observers = HeadObservers()
  /// Why the log takes no events now.
  let readOnlyReason = Lock<String?>(nil)
  /// How far the background check is; nil where none runs.
  let scrub = Lock<ScrubStatus?>(nil)
  private let headValue: Atomic<UInt64>

  init(
    catalog: Catalog, locator: RecordLocator, horizon: CommandHorizon, horizonGap: ReadError?,
    head: UInt64,
    revisionCacheEntries: Int
  ) {
    log = catalog.all[0].header.log
    self.catalog = catalog
    indexes = locator.indexes
    reader = LogReader(catalog: catalog, locator: locator)
    revisions = StreamRevisions(
      catalog: catalog, locator: locator, limit: revisionCacheEntries)
    self.horizon = Lock(horizon)
    self.horizonGap = horizonGap
    headValue = Atomic(head)
  }

  var head: UInt64 { headValue.load(ordering: .acquiring) }

  /// Lets everyone see events that are durable now: first where they are, then that they are there.
  func publish(_ group: WrittenGroup, in segment: Segment) {
    _ = segment.withLive { live in
      group.index(into: &live)
      headValue.store(group.head, ordering: .releasing)
    }
    horizon.withLock { horizon in
      let first = segment.first
      horizon.insert(
        group.commands.lazy.map { (key: $0.key, position: first + UInt64($0.ordinal)) })
    }
  }
}
