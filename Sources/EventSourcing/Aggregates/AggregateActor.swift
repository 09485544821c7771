internal import ActorRuntime
internal import FastJSON

/// The one owner of a stream: takes its commands in order and decides them on tentative state, which
/// has the events that are under way.
///
/// An actor that awaited its append would let the next command in half-way, so nothing here
/// suspends between a command's arrival and its decision: the shard calls in synchronously, the
/// events go into the shard's ``BatchLine``, and the answers wait there for the batch's return.
actor AggregateActor<A: Aggregate> {
  private let loader: AggregateLoader
  private let snapshotter: Snapshotter?
  private let executor: PollingExecutor
  private let onLoaded: @Sendable (StreamID) -> Void

  private var phase = AggregatePhase.unloaded
  private var state = A()
  private var journal: StreamJournal
  /// Up to where a snapshot was made, or asked for.
  private var snapshotRevision = Revision.none
  /// What came while nothing could be decided.
  private var inbox: [WaitingCommand] = []
  /// Set when a batch failed: what was decided since rests on events that do not exist.
  private var isInvalid = false
  /// Why the last load failed; the commands that waited for it are answered with it.
  private var failure: ServiceError?

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  init(
    stream: StreamID, loader: AggregateLoader, snapshotter: Snapshotter?,
    executor: PollingExecutor, onLoaded: @escaping @Sendable (StreamID) -> Void
  ) {
    journal = StreamJournal(stream)
    self.loader = loader
    self.snapshotter = snapshotter
    self.executor = executor
    self.onLoaded = onLoaded
  }

  /// Whether forgetting this actor would lose nothing.
  var isIdle: Bool { inbox.isEmpty && journal.batchesUnderWay == 0 && phase != .loading }

  /// About how many bytes of memory the aggregate takes.
  var memoryFootprint: Int { MemoryLayout<A>.size + 512 + state.memoryFootprint }

  func isWaiting(_ id: CommandID) -> Bool { inbox.contains { $0.id == id } }

  // MARK: Deciding

  /// Takes a command in: decides it where that is possible now, and keeps it for later otherwise.
  ///
  /// - Returns: whether the open batch has got events of it.
  func take(_ command: IncomingCommand, _ line: inout BatchLine, hasRoom: Bool) -> TakeResult {
    if hasRoom, phase == .ready, !isInvalid, inbox.isEmpty {
      return decide(command, &line) ? .events : .noEvents
    }
    inbox.append(WaitingCommand(command))
    loadIfNeeded()
    return phase == .ready && !isInvalid ? .waitsForRoom : .noEvents
  }

  private func decide(_ command: IncomingCommand, _ line: inout BatchLine) -> Bool {
    let revision = journal.revision
    do throws(ServiceError) {
      try state.carryOut(command, in: &journal, &line)
    } catch {
      line.refuse(error, token: command.token, id: command.id, in: journal)
    }
    return journal.revision != revision
  }

  /// Decides what waits, until the batch has no room left.
  func decideWaiting(_ line: inout BatchLine, limit: Int, parser: JSONParser) -> TakeResult {
    guard phase == .ready, !isInvalid else {
      if !inbox.isEmpty { loadIfNeeded() }
      return .noEvents
    }
    var decided = 0
    let revision = journal.revision
    while decided < inbox.count, line.byteCount < limit {
      inbox[decided].withIncoming(of: journal.stream, parser: parser) {
        _ = decide($0, &line)
      }
      decided += 1
    }
    inbox.removeFirst(decided)
    if !inbox.isEmpty { return .waitsForRoom }
    return journal.revision != revision ? .events : .noEvents
  }

  // MARK: Settling

  /// Batch `number` is durable, with `first` as the position of its first event.
  func committed(_ number: UInt64, first: GlobalPosition) {
    journal.settle(number, first: first)
    reloadIfInvalid()
    if SnapshotPolicy.isDue(events: unkeptEvents, footprint: state.memoryFootprint) {
      requestSnapshot()
    }
  }

  /// Batch `number` was not written: what was decided from its first command on is void.
  func failed(_ number: UInt64) {
    isInvalid = true
    journal.settle(number, first: nil)
    reloadIfInvalid()
  }

  /// How many events no snapshot covers.
  private var unkeptEvents: UInt64 {
    journal.revision > snapshotRevision
      ? journal.revision.rawValue - snapshotRevision.rawValue : 0
  }

  private func requestSnapshot() {
    snapshotRevision = journal.revision
    snapshotter?.request(A.self, journal.stream)
  }

  /// To be called before the actor is forgotten: whoever needs it next should find a snapshot.
  func prepareForEviction() {
    let isWorthwhile = SnapshotPolicy.isWorthwhile(
      events: unkeptEvents, footprint: state.memoryFootprint)
    if phase == .ready, isWorthwhile { requestSnapshot() }
  }

  // MARK: Loading

  private func reloadIfInvalid() {
    guard isInvalid, journal.batchesUnderWay == 0 else { return }
    isInvalid = false
    state = A()
    journal = StreamJournal(journal.stream)
    phase = .unloaded
    if !inbox.isEmpty { loadIfNeeded() }
  }

  private func loadIfNeeded() {
    guard phase == .unloaded, !isInvalid else { return }
    phase = .loading
    Task { await load() }
  }

  private func load() async {
    do throws(ServiceError) {
      let loaded = try await loader.load(A.self, journal.stream)
      state = loaded.state
      journal.revision = loaded.revision
      journal.lastEvent = .durable(loaded.position)
      snapshotRevision = loaded.snapshotRevision
      phase = .ready
    } catch {
      phase = .unloaded
      failure = error
    }
    onLoaded(journal.stream)
  }

  /// Refuses what waited for a load that failed.
  func refuseAfterFailedLoad(_ line: inout BatchLine) {
    guard let error = failure else { return }
    failure = nil
    for command in inbox { line.refuse(error, token: command.token, id: command.id, in: journal) }
    inbox = []
  }
}
