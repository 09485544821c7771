public import ActorRuntime
public import FastJSON

/// The aggregates of one shard: finds or makes each stream's actor, lets all that have commands
/// decide into one batch, hands it to the log, and gives out the answers when it comes back.
///
/// It belongs to the actor that drives the shard's executor, and is used on that executor only.
public final class AggregateRegistry {
  /// What one registry may hold.
  public struct Limits: Sendable {
    /// Commands taken and not yet answered; further ones are refused as `overloaded`.
    public var unansweredCommands = 200_000
    /// Aggregates in memory; beyond it idle ones are let go, longest unused first.
    public var residentAggregates = 10_000
    /// What they may take, as far as they can tell; beyond it idle ones are let go likewise. One
    /// that is in use stays, whatever its size.
    public var residentBytes = 256 << 20
    /// A batch that has reached this size is handed to the log before the next actor decides.
    public var batchBytes = 4 << 20
    /// Batches handed to the log and not yet back; while so many are, nothing is decided.
    public var batchesUnderWay = 64

    public init() {}
  }

  private struct UnderWay {
    let number: UInt64
    let slots: [any AggregateSlot]
  }

  private let store: any EventStore
  private let executor: PollingExecutor
  private let clock: any WallClock
  private let limits: Limits
  private let loader: AggregateLoader
  private let snapshotter: Snapshotter?
  private let completions: Handoff<Result<AppendReceipt, AppendError>>
  private let loaded: Handoff<StreamID>

  private var makers: [StreamCategory: (StreamID) -> any AggregateSlot] = [:]
  private var slots: [StreamID: any AggregateSlot] = [:]
  private var eviction: Eviction
  private var touched: [(stream: StreamID, slot: any AggregateSlot)] = []
  private var turn: UInt64 = 1
  private var nextBatch: UInt64 = 1
  /// In the order they were handed over, which is the order they come back in.
  private var underWay: [UnderWay] = []
  /// Commands taken and not yet answered.
  public private(set) var unansweredCommands = 0

  /// - Parameters:
  ///   - store: the log.
  ///   - snapshots: where snapshots are kept; nil for none at all.
  ///   - executor: the shard's.
  ///   - clock: tells when a command is decided.
  ///   - limits: what it may hold.
  public init(
    store: any EventStore, snapshots: (any SnapshotStore)? = nil, executor: PollingExecutor,
    clock: any WallClock, limits: Limits = Limits()
  ) {
    self.store = store
    self.executor = executor
    self.clock = clock
    self.limits = limits
    snapshotter = snapshots.map { Snapshotter(store: store, snapshots: $0) }
    loader = AggregateLoader(store: store, snapshots: snapshots, snapshotter: snapshotter)
    eviction = Eviction(limits)
    completions = Handoff(to: executor)
    loaded = Handoff(to: executor)
  }

  /// Makes the registry responsible for streams of `A`'s category.
  public func register<A: Aggregate>(_: A.Type) {
    makers[A.category] = { [store, loader, snapshotter, executor, loaded] stream in
      TypedAggregateSlot(
        AggregateActor<A>(
          stream: stream, store: store, loader: loader, snapshotter: snapshotter,
          executor: executor, onLoaded: { loaded.give($0) }))
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

  /// Whether a call of ``run(replies:)`` would find something to do.
  public var hasWork: Bool {
    !touched.isEmpty && underWay.count < limits.batchesUnderWay || !completions.isEmpty
      || !loaded.isEmpty
  }

  /// Takes in a command; its answer comes out of a later ``run(replies:)``.
  ///
  /// - Parameters:
  ///   - header: whose token comes back with the answer.
  ///   - name: the command's name on the wire.
  ///   - data: the command's data, read before this returns; or why there is none.
  /// - Throws: `overloaded`, and `forbidden` for a stream that takes no commands.
  public func submit(
    _ header: CommandHeader, name: String, data: Result<JSONValue, ServiceError>
  ) throws(ServiceError) {
    guard unansweredCommands < limits.unansweredCommands else {
      throw ServiceError(.overloaded, "too many commands wait for their answer; send it again")
    }
    let slot = try slot(for: header.stream)
    if slot.lastUse != turn {
      slot.lastUse = turn
      touched.append((header.stream, slot))
    }
    slot.enqueue(header, name: name, data: data)
    unansweredCommands += 1
  }

  /// Whether a command is on its way: taken, and neither durable nor refused yet.
  public func isPending(_ id: CommandID, in stream: StreamID) -> Bool {
    slots[stream]?.isPending(id) ?? false
  }

  /// Settles what has come back from the log, then decides what waits.
  ///
  /// - Parameter replies: the answers that may leave now are added.
  public func run(replies: inout [CommandReply]) {
    let before = replies.count
    settle(replies: &replies)
    welcomeLoaded(replies: &replies)
    decide(replies: &replies)
    unansweredCommands -= replies.count - before
    turn += 1
    eviction.run(on: &slots, turn: turn)
  }

  private func slot(for stream: StreamID) throws(ServiceError) -> any AggregateSlot {
    if let slot = slots[stream] { return slot }
    guard let make = makers[stream.category] else {
      throw ServiceError(.forbidden, "\(stream.category) streams take no commands")
    }
    let slot = make(stream)
    slots[stream] = slot
    eviction.count(slot)
    return slot
  }

  private func settle(replies: inout [CommandReply]) {
    for result in completions.takeAll() {
      let batch = underWay.removeFirst()
      for slot in batch.slots {
        switch result {
        case .success(let receipt):
          slot.committed(batch.number, first: receipt.first, replies: &replies)
        case .failure(let error):
          slot.failed(batch.number, ServiceError(error), replies: &replies)
        }
        eviction.count(slot)
      }
    }
  }

  private func welcomeLoaded(replies: inout [CommandReply]) {
    for stream in loaded.takeAll() {
      guard let slot = slots[stream] else { continue }
      slot.refuseAfterFailedLoad(replies: &replies)
      eviction.count(slot)
      if slot.lastUse != turn {
        slot.lastUse = turn
        touched.append((stream, slot))
      }
    }
  }

  private func decide(replies: inout [CommandReply]) {
    // What cannot go out now stays touched; the next completion brings the next turn.
    guard !touched.isEmpty, underWay.count < limits.batchesUnderWay else {
      for entry in touched { entry.slot.lastUse = turn + 1 }
      return
    }
    let time = Timestamp(microseconds: clock.microsecondsSinceEpoch)
    var batch = AppendBatch(time: time, capacity: 1 << 16)
    var writers: [any AggregateSlot] = []
    for (_, slot) in touched {
      var result = DecideResult(hasMore: true)
      while result.hasMore {
        result = slot.decide(
          into: &batch, number: nextBatch, limit: limits.batchBytes, replies: &replies)
        if result.hasEvents { writers.append(slot) }
        guard batch.bytes.count >= limits.batchBytes else { break }
        send(batch, writers)
        batch = AppendBatch(time: time, capacity: 1 << 16)
        writers = []
      }
    }
    touched.removeAll(keepingCapacity: true)
    if !batch.isEmpty { send(batch, writers) }
  }

  private func send(_ batch: AppendBatch, _ writers: [any AggregateSlot]) {
    underWay.append(UnderWay(number: nextBatch, slots: writers))
    nextBatch += 1
    store.append(batch) { [completions] in completions.give($0) }
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
