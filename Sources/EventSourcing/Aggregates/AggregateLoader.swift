internal import ActorRuntime
internal import FastJSON

/// Rebuilds aggregates from their snapshots and events, on a thread of its own: reading blocks, and
/// a long stream must not hold up the other streams' commands. Between two reads of a long stream
/// other loads get their turn.
actor AggregateLoader {
  /// An aggregate as its durable events make it.
  struct Loaded<A: Aggregate>: Sendable {
    let state: A
    let revision: Revision
    /// Of the stream's last event; the start where it has none.
    let position: GlobalPosition
    /// What its snapshot covers, or will when it is written.
    let snapshotRevision: Revision
  }

  private let executor: ThreadExecutor
  private let store: any EventStore
  private let snapshots: (any SnapshotStore)?
  private let snapshotter: Snapshotter?
  private let parser = JSONParser()

  nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  init(store: any EventStore, snapshots: (any SnapshotStore)?, snapshotter: Snapshotter?) {
    self.store = store
    self.snapshots = snapshots
    self.snapshotter = snapshotter
    executor = ThreadExecutor(name: "loader")
  }

  /// Ends the thread after what it has been asked for. Not from an actor on that thread.
  nonisolated func stop() { executor.stop() }

  func load<A: Aggregate>(_: A.Type, _ stream: StreamID) async throws(ServiceError) -> Loaded<A> {
    var fold = try StreamFold<A>(stream, store: store, snapshots: snapshots)
    while try fold.step(parser) { await Task.yield() }
    var snapshotRevision = fold.snapshotRevision
    if let snapshotter, isWorthKeeping(fold) {
      // Now, as its bytes: once a command changes the state, sharing it would mean a copy.
      snapshotter.keep(fold)
      snapshotRevision = fold.revision
    }
    return Loaded(
      state: fold.state, revision: fold.revision, position: fold.position,
      snapshotRevision: snapshotRevision)
  }

  private func isWorthKeeping<A: Aggregate>(_ fold: StreamFold<A>) -> Bool {
    if fold.hasBadSnapshot && fold.replayed > 0 { return true }
    return SnapshotPolicy.isWorthwhile(
      events: fold.replayed, footprint: fold.state.memoryFootprint)
  }
}
