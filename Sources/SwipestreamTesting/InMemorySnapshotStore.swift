internal import ActorRuntime
public import EventSourcing

/// Keeps snapshots in memory, and lets a test do to them what disks and users do.
public final class InMemorySnapshotStore: SnapshotStore {
  private struct State {
    var snapshots: [StreamID: Snapshot] = [:]
    var damaged: Set<StreamID> = []
    var removals: UInt64 = 0
    var failure: String?
  }

  private let state = Lock(State())

  public init() {}

  public func load(_ stream: StreamID) throws(SnapshotError) -> Snapshot? {
    try state.withLock { state throws(SnapshotError) in
      if state.damaged.contains(stream) { throw SnapshotError("damaged") }
      return state.snapshots[stream]
    }
  }

  public func save(_ snapshot: Snapshot, removals: UInt64) throws(SnapshotError) {
    try state.withLock { state throws(SnapshotError) in
      if let failure = state.failure { throw SnapshotError(failure) }
      guard removals == state.removals else { throw SnapshotError("others were removed") }
      state.damaged.remove(snapshot.stream)
      state.snapshots[snapshot.stream] = snapshot
    }
  }

  public func remove(_ stream: StreamID) throws(SnapshotError) {
    state.withLock { state in
      state.removals += 1
      state.snapshots[stream] = nil
      state.damaged.remove(stream)
    }
  }

  public var removalCount: UInt64 { state.withLock { $0.removals } }

  /// The snapshots as they are, damaged ones included.
  public var all: [Snapshot] { state.withLock { Array($0.snapshots.values) } }

  /// Puts a snapshot there, whatever it is.
  public func plant(_ snapshot: Snapshot) {
    state.withLock { state in
      state.damaged.remove(snapshot.stream)
      state.snapshots[snapshot.stream] = snapshot
    }
  }

  /// Lets a stream's snapshot be unreadable until another is saved.
  public func damage(_ stream: StreamID) { state.withLock { _ = $0.damaged.insert(stream) } }

  /// Lets every save fail until it is called with nil.
  public func failSaves(because reason: String?) { state.withLock { $0.failure = reason } }
}
