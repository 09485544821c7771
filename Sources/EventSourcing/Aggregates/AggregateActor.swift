internal import ActorRuntime
internal import FastJSON

/// The one owner of a stream: takes its commands in order and decides them on tentative state, which
/// has the events that are under way.
///
/// An actor that awaited its append would let the next command in half-way, so nothing here
/// suspends between a command's arrival and its decision: the shard, on the actor's own executor,
/// calls in synchronously, the events go into the shard's ``BatchLine``, and the answers wait there
/// for the batch's return.
actor AggregateActor<A: Aggregate> {
  private let executor: PollingExecutor
  private let loader: AggregateLoader
  private let onLoaded: @Sendable (StreamID) -> Void
  /// Touched on the executor only: by the actor's own methods, and by the shard's calls, each of
  /// which checks where it runs. `assumeIsolated` would do the same at several times the cost.
  private nonisolated(unsafe) var core: OwnedStream
  /// Likewise.
  private nonisolated(unsafe) var state = A()

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  init(
    stream: StreamID, loader: AggregateLoader, snapshotter: Snapshotter?,
    executor: PollingExecutor, onLoaded: @escaping @Sendable (StreamID) -> Void
  ) {
    self.loader = loader
    self.executor = executor
    self.onLoaded = onLoaded
    core = OwnedStream(stream, snapshotter)
  }

  private func load() async {
    do throws(ServiceError) {
      let loaded = try await loader.load(A.self, core.journal.stream)
      state = loaded.state
      core.welcome(loaded)
    } catch {
      core.loadFailed(error)
    }
    onLoaded(core.journal.stream)
  }

  private nonisolated func loadIfNeeded() {
    if core.beginsToLoad() { Task { await load() } }
    if let source = core.beginsToFetch() { Task { await fetch(source) } }
  }

  private func fetch(_ source: StreamID) async {
    do throws(ServiceError) {
      let loaded = try await loader.load(A.self, source)
      core.fetched(source, .success(loaded.state))
    } catch {
      core.fetched(source, .failure(error))
    }
    onLoaded(core.journal.stream)
  }

  @inline(__always)
  private nonisolated func checkIsolated() {
    precondition(executor.isCurrent, "called off the shard's executor")
  }
}

extension AggregateActor: StreamOwner {
  nonisolated var isIdle: Bool {
    checkIsolated()
    return core.isIdle
  }

  nonisolated var memoryFootprint: Int {
    checkIsolated()
    return MemoryLayout<A>.size + 512 + state.memoryFootprint
  }

  nonisolated func take(
    _ command: IncomingCommand, _ line: inout BatchLine, hasRoom: Bool
  ) -> TakeResult {
    checkIsolated()
    let result = core.take(command, &line, hasRoom: hasRoom, &state)
    if result == .waits { loadIfNeeded() }
    return result
  }

  nonisolated func decideWaiting(
    _ line: inout BatchLine, limit: Int, parser: JSONParser
  ) -> TakeResult {
    checkIsolated()
    let result = core.decideWaiting(&line, limit: limit, parser: parser, &state)
    if result == .waits { loadIfNeeded() }
    return result
  }

  nonisolated func committed(_ number: UInt64, first: GlobalPosition) {
    checkIsolated()
    core.committed(number, first: first, &state)
    loadIfNeeded()
  }

  nonisolated var liveDeadline: Int? {
    checkIsolated()
    return core.journal.live?.deadline
  }

  nonisolated func advanceLive(to now: Int, _ line: inout BatchLine) {
    checkIsolated()
    core.advanceLive(to: now, &line)
  }

  nonisolated func failed(_ number: UInt64, _ line: inout BatchLine) {
    checkIsolated()
    core.failed(number, &line, &state)
    loadIfNeeded()
  }

  nonisolated func refuseAfterFailedLoad(_ line: inout BatchLine) {
    checkIsolated()
    core.refuseAfterFailedLoad(&line)
  }

  nonisolated func isWaiting(_ id: CommandID) -> Bool {
    checkIsolated()
    return core.isWaiting(id)
  }

  nonisolated func prepareForEviction() {
    checkIsolated()
    core.prepareForEviction(state)
  }
}
