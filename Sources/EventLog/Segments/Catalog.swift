internal import ActorRuntime

/// The log's segments in order; the last one is the newest, which the writer adds to.
final class Catalog: Sendable {
  private let segments: Lock<[Segment]>

  /// - Precondition: there is a segment.
  init(_ segments: [Segment]) {
    precondition(!segments.isEmpty)
    self.segments = Lock(segments)
  }

  /// The segments as they are now; one that is there stays valid when others are added.
  var all: [Segment] { segments.withLock { $0 } }

  func add(_ segment: Segment) { segments.withLock { $0.append(segment) } }

  /// The index in `segments` of the one that holds `position`, which is at least the first one's.
  static func index(of position: UInt64, in segments: [Segment]) -> Int {
    lastIndex(in: segments) { $0.first <= position } ?? 0
  }

  /// The last segment that fulfils a condition which, along the log, is first true and then false.
  static func lastIndex(in segments: [Segment], where isBefore: (Segment) -> Bool) -> Int? {
    var low = 0
    var high = segments.count
    while low < high {
      let middle = (low + high) / 2
      if isBefore(segments[middle]) { low = middle + 1 } else { high = middle }
    }
    return low == 0 ? nil : low - 1
  }
}
