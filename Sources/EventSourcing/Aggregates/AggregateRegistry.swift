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
  private let completions: Handoff<Result<AppendReceipt, AppendError>>
  private let loaded: Handoff<StreamID>

  private var makers: [StreamCategory: (StreamID) -> any AggregateSlot] = [:]
  private var slots: [StreamID: any AggregateSlot] = [:]
  private var touched: [(stream: StreamID, slot: any AggregateSlot)] = []
  private var turn: UInt64 = 1
  private var nextBatch: UInt64 = 1
  /// In the order they were handed over, which is the order they come back in.
  private var underWay: [UnderWay] = []
  /// Commands taken and not yet answered.
  public private(set) var unansweredCommands = 0

  public init(
    store: any EventStore, executor: PollingExecutor, clock: any WallClock,
    limits: Limits = Limits()
  ) {
    self.store = store
    self.executor = executor
    self.clock = clock
    self.limits = limits
    loader = AggregateLoader(store: store)
    completions = Handoff(to: executor)
    loaded = Handoff(to: executor)
  }

  /// Makes the registry responsible for streams of `A`'s category.
  public func register<A: Aggregate>(_: A.Type) {
    makers[A.category] = { [store, loader, executor, loaded] stream in
      TypedAggregateSlot(
        AggregateActor<A>(
          stream: stream, store: store, loader: loader, executor: executor,
          onLoaded: { loaded.give($0) }))
    }
  }

  /// Ends the loading thread: to be called off the shard's thread, before its executor stops.
  public var stopLoading: @Sendable () -> Void { { [loader] in loader.stop() } }

  /// Aggregates in memory.
  public var residentAggregates: Int { slots.count }

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
    evictIfNeeded()
  }

  private func slot(for stream: StreamID) throws(ServiceError) -> any AggregateSlot {
    if let slot = slots[stream] { return slot }
    guard let make = makers[stream.category] else {
      throw ServiceError(.forbidden, "\(stream.category) streams take no commands")
    }
    let slot = make(stream)
    slots[stream] = slot
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
      }
    }
  }

  private func welcomeLoaded(replies: inout [CommandReply]) {
    for stream in loaded.takeAll() {
      guard let slot = slots[stream] else { continue }
      slot.refuseAfterFailedLoad(replies: &replies)
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

  /// Lets go of idle actors in bulk, so that the search is paid for rarely.
  private func evictIfNeeded() {
    guard slots.count > limits.residentAggregates else { return }
    let idle = slots.filter { $0.value.isIdle && $0.value.lastUse < turn - 1 }
      .sorted { $0.value.lastUse < $1.value.lastUse }
    for (stream, _) in idle.prefix(max(1, limits.residentAggregates / 4)) { slots[stream] = nil }
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
