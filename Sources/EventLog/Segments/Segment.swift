internal import ActorRuntime
internal import Digests

/// One segment file, as readers and the writer know it.
final class Segment: Sendable {
  /// What is fixed once a segment is sealed.
  struct Seal: Equatable {
    let count: Int
    let length: Int
    let digest: SHA256Digest
  }

  private enum State {
    case live(LiveIndex)
    case sealed(Seal)
  }

  let header: SegmentHeader
  /// The directory's path and the file's name.
  let path: String
  private let state: Lock<State>

  init(header: SegmentHeader, path: String, live: LiveIndex) {
    self.header = header
    self.path = path
    state = Lock(.live(live))
  }

  init(header: SegmentHeader, path: String, seal: Seal) {
    self.header = header
    self.path = path
    state = Lock(.sealed(seal))
  }

  var first: UInt64 { header.first }
  var name: String { FileFormat.segmentName(first: first) }

  /// Gives `body` the index in memory; nil once the segment is sealed.
  func withLive<Result>(_ body: (inout LiveIndex) -> Result) -> Result? {
    state.withLock { state in
      guard case .live(var live) = state else { return nil }
      // Taken out meanwhile, so that a change is made in place and copies nothing.
      state = .live(LiveIndex(end: 0))
      defer { state = .live(live) }
      return body(&live)
    }
  }

  /// What is known of a sealed segment; nil while it is the newest.
  var seal: Seal? {
    state.withLock { state in
      if case .sealed(let seal) = state { seal } else { nil }
    }
  }

  /// From here on the index is the file's.
  func becomeSealed(_ seal: Seal) { state.withLock { $0 = .sealed(seal) } }

  /// How many bytes of the file are in use.
  var length: Int {
    state.withLock { state in
      switch state {
      case .live(let live): live.end
      case .sealed(let seal): seal.length
      }
    }
  }
}
