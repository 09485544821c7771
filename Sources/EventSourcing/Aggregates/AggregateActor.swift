internal import ActorRuntime
internal import Digests
internal import FastJSON

/// The one owner of a stream: takes its commands in order, decides them on tentative state, and
/// answers them once what they were decided on is durable.
///
/// An actor that awaited its append would let the next command in half-way, so nothing here
/// suspends between a command's arrival and its decision: the shard calls in synchronously, the
/// batch goes to the log, and the answers wait in line for the batch's return.
actor AggregateActor<A: Aggregate> {
  let stream: StreamID
  private let store: any EventStore
  private let loader: AggregateLoader
  private let snapshotter: Snapshotter?
  private let executor: PollingExecutor
  private let onLoaded: @Sendable (StreamID) -> Void

  private var phase = AggregatePhase.unloaded
  private var state = A()
  private var revision = Revision.none
  private var lastEvent = EventPlace.durable(.start)
  /// Up to where a snapshot was made, or asked for.
  private var snapshotRevision = Revision.none
  private var inbox: [CommandEnvelope<A.Command>] = []
  private var waiting: [WaitingAnswer] = []
  private var pending: [CommandID: PendingCommand] = [:]
  /// The ids in ``pending`` in the order they were decided, with their batch.
  private var pendingOrder: [(batch: UInt64, id: CommandID)] = []
  /// The batches under way that hold this stream's events, oldest first.
  private var batchesUnderWay: [UInt64] = []
  /// Whether an answer in line names an event of a batch before the one that it waits for.
  private var hasEarlierPlaces = false
  /// Set when a batch failed: what was decided since rests on events that do not exist.
  private var isInvalid = false
  /// Why the last load failed; the commands that waited for it are answered with it.
  private var failure: ServiceError?
  private var scratch = JSONWriter()

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  init(
    stream: StreamID, store: any EventStore, loader: AggregateLoader, snapshotter: Snapshotter?,
    executor: PollingExecutor, onLoaded: @escaping @Sendable (StreamID) -> Void
  ) {
    self.stream = stream
    self.store = store
    self.loader = loader
    self.snapshotter = snapshotter
    self.executor = executor
    self.onLoaded = onLoaded
  }

  /// Whether forgetting this actor would lose nothing.
  var isIdle: Bool {
    inbox.isEmpty && waiting.isEmpty && batchesUnderWay.isEmpty && phase != .loading
  }

  /// About how many bytes of memory the aggregate takes.
  var memoryFootprint: Int { MemoryLayout<A>.size + 512 + state.memoryFootprint }

  func isPending(_ id: CommandID) -> Bool {
    pending[id] != nil || inbox.contains { $0.header.id == id }
  }

  func enqueue(_ envelope: CommandEnvelope<A.Command>) { inbox.append(envelope) }

  // MARK: Deciding

  /// Decides what waits, adding the events to `batch`, which will be batch `number`, until that has
  /// `limit` bytes.
  func decide(
    into batch: inout AppendBatch, number: UInt64, limit: Int, replies: inout [CommandReply]
  ) -> DecideResult {
    guard !inbox.isEmpty else { return DecideResult() }
    guard phase == .ready, !isInvalid else {
      loadIfNeeded()
      return DecideResult()
    }
    batch.begin(stream, expecting: revision == .none ? .noStream : .exactly(revision))
    let before = batch.events.count
    var decided = 0
    repeat {
      decide(inbox[decided], into: &batch, number: number)
      decided += 1
    } while decided < inbox.count && batch.bytes.count < limit
    inbox.removeFirst(decided)
    let hasEvents = batch.events.count > before
    if !hasEvents { batch.dropEmptyStream() }
    if batchesUnderWay.isEmpty { answer(upTo: number, first: .start, replies: &replies) }
    return DecideResult(hasEvents: hasEvents, hasMore: !inbox.isEmpty)
  }

  private func decide(
    _ envelope: CommandEnvelope<A.Command>, into batch: inout AppendBatch, number: UInt64
  ) {
    let header = envelope.header
    do throws(ServiceError) {
      let command = try envelope.content.get()
      let key = CommandKey(header.id, in: stream)
      let content = contentHash(command)
      if let answer = try duplicate(of: header.id, content: content) {
        wait(header.token, answer)
        return
      }
      if let expected = header.expected, expected != revision {
        throw ServiceError(
          .conflict, "\(stream) is at revision \(revision), not \(expected)", revision: revision)
      }
      let decision = try state.decide(
        command, in: DecisionContext(time: batch.time, command: header.id))
      record(decision, header, key, content, into: &batch, number: number)
    } catch {
      wait(header.token, .error(error))
    }
  }

  private func record(
    _ decision: Decision<A.Event, A.Outcome>, _ header: CommandHeader, _ key: CommandKey,
    _ content: ContentHash, into batch: inout AppendBatch, number: UInt64
  ) {
    scratch.removeAll()
    decision.outcome.write(to: &scratch)
    let outcome = scratch.bytes
    let count = decision.events.count
    for (index, event) in decision.events.enumerated() {
      let isLast = index == count - 1
      batch.add(event.type, schema: event.schema, command: isLast ? key : nil) {
        event.writeData(to: &$0)
      } meta: {
        EventMeta.write(
          command: header.id, via: decision.via, metadata: header.metadata,
          completion: isLast
            ? .init(content: content, eventCount: count, outcome: outcome) : nil,
          to: &$0)
      }
      state.apply(event)
    }
    revision = revision.advanced(by: count)
    if count > 0 { lastEvent = .inBatch(number, index: batch.events.count - 1) }
    let receipt = CommandReceipt(
      stream: stream, revision: revision, position: .start, eventCount: count, outcome: outcome)
    if count > 0 {
      pending[header.id] = PendingCommand(content: content, receipt: receipt, place: lastEvent)
      pendingOrder.append((number, header.id))
      if batchesUnderWay.last != number { batchesUnderWay.append(number) }
    }
    wait(header.token, .written(receipt, place: lastEvent))
  }

  /// The answer to a command that was carried out before, nil where it was not.
  private func duplicate(
    of id: CommandID, content: ContentHash
  ) throws(ServiceError) -> CommandAnswer? {
    if let earlier = pending[id] {
      try check(earlier.content, content)
      var receipt = earlier.receipt
      receipt.isDuplicate = true
      hasEarlierPlaces = true
      return .written(receipt, place: earlier.place)
    }
    guard let earlier = try recorded(id) else { return nil }
    try check(earlier.content, content)
    return .receipt(CommandReceipt(earlier, stream: stream, isDuplicate: true))
  }

  private func recorded(_ id: CommandID) throws(ServiceError) -> RecordedCommand? {
    do {
      return try store.command(id, in: stream)
    } catch {
      throw ServiceError(.unavailable, "\(stream): \(error)")
    }
  }

  private func check(_ earlier: ContentHash, _ now: ContentHash) throws(ServiceError) {
    // Of an erased text nothing is left to compare with; the id has to do.
    guard earlier == now || earlier == .erased else {
      throw ServiceError(.idReused, "this id was used for another command to \(stream)")
    }
  }

  private func contentHash(_ command: A.Command) -> ContentHash {
    scratch.removeAll()
    scratch.value(command.name)
    command.writeData(to: &scratch)
    return scratch.bytes.withUnsafeBytes { ContentHash(of: Fingerprint(of: $0)) }
  }

  // MARK: Answering

  private func wait(_ token: Int, _ answer: CommandAnswer) {
    waiting.append(WaitingAnswer(token: token, batch: batchesUnderWay.last ?? 0, answer: answer))
  }

  /// Batch `number` is durable, with `first` as the position of its first event.
  func committed(_ number: UInt64, first: GlobalPosition, replies: inout [CommandReply]) {
    batchesUnderWay.removeAll { $0 == number }
    forgetPending(of: number)
    answer(upTo: number, first: first, replies: &replies)
    if hasEarlierPlaces { settlePlaces(in: number, first: first) }
    if case .inBatch(number, let index) = lastEvent {
      lastEvent = .durable(first.advanced(by: index))
    }
    reloadIfInvalid()
    if SnapshotPolicy.isDue(events: unkeptEvents, footprint: state.memoryFootprint) {
      requestSnapshot()
    }
  }

  /// How many events no snapshot covers.
  private var unkeptEvents: UInt64 {
    revision > snapshotRevision ? revision.rawValue - snapshotRevision.rawValue : 0
  }

  private func requestSnapshot() {
    snapshotRevision = revision
    snapshotter?.request(A.self, stream)
  }

  /// To be called before the actor is forgotten: whoever needs it next should find a snapshot.
  func prepareForEviction() {
    let isWorthwhile = SnapshotPolicy.isWorthwhile(
      events: unkeptEvents, footprint: state.memoryFootprint)
    if phase == .ready, isWorthwhile { requestSnapshot() }
  }

  /// From here on the log itself knows the batch's commands.
  private func forgetPending(of number: UInt64) {
    var done = 0
    while done < pendingOrder.count, pendingOrder[done].batch <= number {
      pending[pendingOrder[done].id] = nil
      done += 1
    }
    pendingOrder.removeFirst(done)
  }

  private func settlePlaces(in number: UInt64, first: GlobalPosition) {
    for index in waiting.indices {
      if case .written(let receipt, .inBatch(number, let event)) = waiting[index].answer {
        let place = EventPlace.durable(first.advanced(by: event))
        waiting[index].answer = .written(receipt, place: place)
      }
    }
    if waiting.isEmpty { hasEarlierPlaces = false }
  }

  private func answer(
    upTo number: UInt64, first: GlobalPosition, replies: inout [CommandReply]
  ) {
    var done = 0
    while done < waiting.count, waiting[done].batch <= number {
      replies.append(
        CommandReply(
          token: waiting[done].token, result: waiting[done].answer.result(first: first)))
      done += 1
    }
    waiting.removeFirst(done)
  }

  /// Batch `number` was not written: what was decided from its first command on is void.
  func failed(_ number: UInt64, _ error: ServiceError, replies: inout [CommandReply]) {
    isInvalid = true
    batchesUnderWay.removeAll { $0 == number }
    let void = waiting.prefix { $0.batch <= number }
    replies += void.map {
      CommandReply(token: $0.token, result: $0.answer.result(afterFailure: error))
    }
    waiting.removeFirst(void.count)
    reloadIfInvalid()
  }

  // MARK: Loading

  private func reloadIfInvalid() {
    guard isInvalid, batchesUnderWay.isEmpty else { return }
    isInvalid = false
    pending = [:]
    pendingOrder = []
    state = A()
    revision = .none
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
      let loaded = try await loader.load(A.self, stream)
      state = loaded.state
      revision = loaded.revision
      lastEvent = .durable(loaded.position)
      snapshotRevision = loaded.snapshotRevision
      phase = .ready
    } catch {
      phase = .unloaded
      failure = error
    }
    onLoaded(stream)
  }

  /// Refuses what waited for a load that failed.
  func refuseAfterFailedLoad(replies: inout [CommandReply]) {
    guard let error = failure else { return }
    failure = nil
    replies += inbox.map { CommandReply(token: $0.header.token, result: .failure(error)) }
    inbox = []
  }
}

extension CommandReceipt {
  /// The receipt of a command that the log remembers.
  public init(_ command: RecordedCommand, stream: StreamID, isDuplicate: Bool) {
    self.init(
      stream: stream, revision: command.revision, position: command.position,
      eventCount: command.eventCount, outcome: command.outcome, isDuplicate: isDuplicate)
  }
}
