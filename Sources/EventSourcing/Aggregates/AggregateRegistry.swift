public import ActorRuntime
internal import FastJSON

/// The aggregates of one shard: finds or makes each command's actor, which decides it into the open
/// batch, hands the batch to the log, and gives out the answers when it comes back.
///
/// It belongs to the actor that drives the shard's executor, and is used on that executor only.
public final class AggregateRegistry {
  /// What one registry may hold.
  public struct Limits: Sendable {
    /// Commands taken and not yet answered; further ones are refused as `overloaded`.
    public var unansweredCommands = 200_000
    /// Aggregates in memory; beyond it idle ones are let go, longest unused first.
    public var residentAggregates = 100_000
    /// What they may take, as far as they can tell; beyond it idle ones are let go likewise. One
    /// that is in use stays, whatever its size.
    public var residentBytes = 256 << 20
    /// A batch that has reached this size, its answers' texts included, is handed to the log before
    /// the next command is decided.
    public var batchBytes = 4 << 20
    /// Batches handed to the log and not yet back. While so many are, the open batch stays open, and
    /// once that is full, commands wait.
    public var batchesUnderWay = 64

    public init() {}
  }

  private let executor: PollingExecutor
  private let limits: Limits
  private let loader: AggregateLoader
  private let snapshotter: Snapshotter?
  private let completions: Handoff<Result<AppendReceipt, AppendError>>
  private let loaded: Handoff<StreamID>
  private let parser = JSONParser()

  private var makers: [StreamCategory: (StreamID) -> any StreamOwner] = [:]
  private var slots = SlotTable()
  private var line: BatchLine
  private var eviction: Eviction
  /// Those with commands that wait for room in a batch.
  private var waiting: [AggregateSlot] = []
  private var live = LiveStreams()
  private let monotonic: any MonotonicClock
  private var turn: UInt64 = 1
  /// Commands taken and not yet answered.
  public private(set) var unansweredCommands = 0

  /// - Parameters:
  ///   - store: the log.
  ///   - snapshots: where snapshots are kept; nil for none at all.
  ///   - executor: the shard's.
  ///   - clock: tells when a command is decided.
  ///   - monotonic: measures how long what lives beside an aggregate's state may go on.
  ///   - limits: what it may hold.
  public init(
    store: any EventStore, snapshots: (any SnapshotStore)? = nil, executor: PollingExecutor,
    clock: any WallClock, monotonic: any MonotonicClock = SystemMonotonicClock(),
    limits: Limits = Limits()
  ) {
    self.executor = executor
    self.limits = limits
    self.monotonic = monotonic
    line = BatchLine(store: store, clock: clock, monotonic: monotonic)
    snapshotter = snapshots.map { Snapshotter(store: store, snapshots: $0) }
    loader = AggregateLoader(store: store, snapshots: snapshots, snapshotter: snapshotter)
    eviction = Eviction(limits)
    completions = Handoff(to: executor)
    loaded = Handoff(to: executor)
  }

  /// Makes the registry responsible for streams of `A`'s category.
  public func register<A: Aggregate>(_: A.Type) {
    makers[A.category] = { [loader, snapshotter, executor, loaded] stream in
      AggregateActor<A>(
        stream: stream, loader: loader, snapshotter: snapshotter, executor: executor,
        onLoaded: { loaded.give($0) })
    }
  }

  /// Ends the loading thread and the one that makes snapshots: to be called off the shard's thread,
  /// before its executor stops.
  public var stopLoading: @Sendable () -> Void {
    { [loader, snapshotter] in
      snapshotter?.stop()
      loader.stop()
    }
  }

  /// Aggregates in memory.
  public var residentAggregates: Int { slots.count }

  /// What they take, as far as they can tell.
  public var residentBytes: Int { eviction.bytes }

  /// What became of snapshots; nil where none are made.
  public var snapshotCounts: SnapshotCounts? { snapshotter?.counts }

  /// Whether a call of ``run(_:)`` would find something to do.
  public var hasWork: Bool {
    line.hasReady || canHandOver && (!line.isOpenEmpty || !waiting.isEmpty)
      || !completions.isEmpty || !loaded.isEmpty || millisecondsToDeadline == 0
  }

  /// How long until a call of ``run(_:showing:)`` finds something to do though nothing comes in; nil
  /// where nothing waits for time to pass.
  public var millisecondsToDeadline: Int? {
    live.deadline.map { max(0, $0 - monotonic.milliseconds) }
  }

  private var canHandOver: Bool { line.underWay.count < limits.batchesUnderWay }
  private var hasRoom: Bool { line.byteCount < limits.batchBytes }

  /// Takes in a command, and decides it where that is possible at once; its answer comes out of a
  /// later ``run(_:)``.
  ///
  /// - Parameter command: read before this returns.
  /// - Throws: `overloaded`, `invalid` for what is no stream's name, and `forbidden` for a stream that
  ///   takes no commands.
  public func submit(_ command: IncomingCommand) throws(ServiceError) {
    guard unansweredCommands < limits.unansweredCommands else {
      throw ServiceError(.overloaded, "too many commands wait for their answer; send it again")
    }
    let slot = try slot(for: command.stream)
    slot.lastUse = turn
    line.beginTurn()
    if !hasRoom, canHandOver { handOver() }
    // Commands that wait for room go first.
    let result = slot.owner.take(command, &line, hasRoom: hasRoom && !slot.isWaiting)
    unansweredCommands += 1
    follow(result, slot)
  }

  private func follow(_ result: TakeResult, _ slot: AggregateSlot) {
    switch result {
    case .events: line.addOwner(slot)
    case .noEvents, .waits: break
    case .waitsForRoom:
      guard !slot.isWaiting else { return }
      slot.isWaiting = true
      waiting.append(slot)
    }
  }

  /// Whether a command is on its way: taken, and neither durable nor refused yet.
  public func isPending(_ id: CommandID, in stream: StreamID) -> Bool {
    line.isPending(id, in: stream) || slots[stream]?.owner.isWaiting(id) ?? false
  }

  /// Settles what has come back from the log, decides what waits, and hands over what was decided.
  ///
  /// - Parameters:
  ///   - give: gets the answers that may leave now.
  ///   - show: gets news of what lives beside the aggregates' states: best effort, for others to see.
  public func run(
    _ give: (CommandAnswer) -> Void, showing show: (StreamPreview) -> Void = { _ in }
  ) {
    var given = 0
    func counting(_ answer: CommandAnswer) {
      given += 1
      give(answer)
    }
    settle(counting, showing: show)
    welcomeLoaded()
    decideWaiting()
    advanceLive()
    if !line.isOpenEmpty, canHandOver { handOver() }
    line.giveReady(counting, showing: show)
    line.endTurn()
    unansweredCommands -= given
    turn += 1
    eviction.run(on: &slots, turn: turn)
  }

  private func slot(for name: JSONText) throws(ServiceError) -> AggregateSlot {
    if let slot = slots.recent(name) { return slot }
    let stream: StreamID
    do throws(StreamIDError) {
      stream = try StreamID(name.string)
    } catch {
      throw ServiceError(.invalid, "'stream' is \(error)")
    }
    let slot = if let known = slots[stream] { known } else { try make(stream) }
    slots.use(slot)
    return slot
  }

  private func make(_ stream: StreamID) throws(ServiceError) -> AggregateSlot {
    guard let make = makers[stream.category] else {
      throw ServiceError(.forbidden, "\(stream.category) streams take no commands")
    }
    let slot = AggregateSlot(stream, make(stream))
    slots.add(slot)
    eviction.count(slot)
    return slot
  }

  private func settle(
    _ give: (CommandAnswer) -> Void, showing show: (StreamPreview) -> Void
  ) {
    for result in completions.takeAll() {
      var batch = line.takeOldest()
      switch result {
      case .success(let receipt):
        line.forget(batch, first: receipt.first)
        for slot in batch.owners { slot.owner.committed(batch.number, first: receipt.first) }
        batch.answers.give(first: receipt.first, give)
        batch.previews.give(isWritten: true, show)
      case .failure(let error):
        line.forget(batch, first: nil)
        for slot in batch.owners { slot.owner.failed(batch.number, &line) }
        batch.answers.give(afterFailure: ServiceError(error), give)
        batch.previews.give(isWritten: false, show)
      }
      for slot in batch.owners { eviction.count(slot) }
      line.reuse(&batch.answers)
    }
  }

  /// Lets time pass for what lives beside the aggregates' states.
  private func advanceLive() {
    for stream in line.liveStreams {
      if let slot = slots[stream] { live.update(slot) }
    }
    line.liveStreams.removeAll(keepingCapacity: true)
    guard live.deadline != nil else { return }
    let now = monotonic.milliseconds
    live.advance(to: now) { $0.owner.advanceLive(to: now, &line) }
    line.liveStreams.removeAll(keepingCapacity: true)
  }

  private func welcomeLoaded() {
    for stream in loaded.takeAll() {
      guard let slot = slots[stream] else { continue }
      slot.owner.refuseAfterFailedLoad(&line)
      eviction.count(slot)
      slot.lastUse = turn
      follow(.waitsForRoom, slot)
    }
  }

  /// Decides what waits, as far as the batches have room for it.
  private func decideWaiting() {
    guard !waiting.isEmpty, hasRoom || canHandOver else { return }
    line.beginTurn()
    let slots = waiting
    waiting = []
    for slot in slots {
      slot.isWaiting = false
      slot.lastUse = turn
      var result = TakeResult.waitsForRoom
      while result == .waitsForRoom {
        if !hasRoom, canHandOver { handOver() }
        guard hasRoom else { break }
        let before = line.eventCount
        result = slot.owner.decideWaiting(&line, limit: limits.batchBytes, parser: parser)
        if line.eventCount > before { line.addOwner(slot) }
      }
      follow(result, slot)
    }
  }

  private func handOver() {
    line.handOver { [completions] in completions.give($0) }
  }
}

extension ServiceError {
  /// What a client is told of a failed append.
  init(_ error: AppendError) {
    switch error {
    case .conflict(let stream, let actual):
      self.init(
        .unavailable, "\(stream) is at revision \(actual), which its owner did not know; try again")
    case .readOnly(let reason):
      self.init(.readOnly, "the log takes no events now: \(reason)")
    case .overloaded: self.init(.overloaded, "the log is behind; send it again")
    case .closed: self.init(.unavailable, "the service is stopping")
    }
  }
}
