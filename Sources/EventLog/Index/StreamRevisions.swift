internal import ActorRuntime
internal import EventSourcing

/// How many durable events a stream has, from the newest segment, a bounded cache, and the indexes
/// of the sealed segments, newest first.
final class StreamRevisions: Sendable {
  /// A stream's revision at the end of the first `segments` segments: what later ones hold is looked
  /// up, so nothing ever has to be taken out of the cache.
  private struct Known {
    let revision: UInt64
    let segments: Int
  }

  private let catalog: Catalog
  private let locator: RecordLocator
  private let cache: Lock<BoundedCache<StreamID, Known>>

  init(catalog: Catalog, locator: RecordLocator, limit: Int) {
    self.catalog = catalog
    self.locator = locator
    cache = Lock(BoundedCache(limit: limit))
  }

  func revision(of stream: StreamID) throws(ReadError) -> Revision {
    let segments = catalog.all
    let newest = segments.count - 1
    if let extent = try locator.extent(of: stream, in: segments[newest]) {
      return Revision(extent.revisions.upperBound)
    }
    let known = cache.withLock { $0.value(for: stream) } ?? Known(revision: 0, segments: 0)
    if known.segments == newest { return Revision(known.revision) }
    var revision = known.revision
    var index = newest - 1
    while index >= known.segments {
      if let extent = try locator.extent(of: stream, in: segments[index]) {
        revision = extent.revisions.upperBound
        break
      }
      index -= 1
    }
    let found = Known(revision: revision, segments: newest)
    cache.withLock { $0.insert(found, for: stream) }
    return Revision(revision)
  }
}
