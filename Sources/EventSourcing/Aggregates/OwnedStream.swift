internal import FastJSON

/// A stream in its owner's hands, but for the aggregate's state, which its owner lends: the commands
/// that wait, and how far the stream is loaded. A state machine; whoever drives it loads the state
/// when ``beginsToLoad()`` says so.
///
/// It is not generic: the place of a field in a generic value has to be looked up with every use.
struct OwnedStream {
  var journal: StreamJournal
  private let snapshotter: Snapshotter?
  private var phase = AggregatePhase.unloaded
  /// Set when a batch failed: what was decided since rests on events that do not exist.
  private var isInvalid = false
  /// Up to where a snapshot was made, or asked for.
  private var snapshotRevision = Revision.none
  /// What came while nothing could be decided.
  private var inbox: [WaitingCommand] = []
  /// Why the last load failed; the commands that waited for it are answered with it.
  private var failure: ServiceError?
  /// What the first command of the inbox may wait for.
  private var fetch = SourceFetch()

  init(_ stream: StreamID, _ snapshotter: Snapshotter?) {
    journal = StreamJournal(stream)
    self.snapshotter = snapshotter
  }

  /// Whether forgetting the stream would lose nothing.
  var isIdle: Bool {
    inbox.isEmpty && journal.batchesUnderWay == 0 && phase != .loading
      && journal.live?.isOpen != true
  }

  func isWaiting(_ id: CommandID) -> Bool { inbox.contains { $0.id == id } }

  private var canDecide: Bool { phase == .ready && !isInvalid && !fetch.isOpen }

  // MARK: Deciding

  /// Takes a command in: decides it where that is possible now, and keeps it for later otherwise.
  mutating func take<A: Aggregate>(
    _ command: IncomingCommand, _ line: inout BatchLine, hasRoom: Bool, _ state: inout A
  ) -> TakeResult {
    if hasRoom, canDecide, inbox.isEmpty {
      let wrote = decide(command, &line, &state)
      guard let source = line.takeNeededSource() else { return wrote ? .events : .noEvents }
      fetch.need(source)
    }
    inbox.append(WaitingCommand(command))
    return canDecide ? .waitsForRoom : .waits
  }

  private mutating func decide<A: Aggregate>(
    _ command: IncomingCommand, _ line: inout BatchLine, _ state: inout A
  ) -> Bool {
    let revision = journal.revision
    do throws(ServiceError) {
      try state.carryOut(command, in: &journal, &line)
    } catch {
      line.refuse(error, token: command.token, id: command.id, in: journal)
    }
    if journal.live != nil { settleLive(state, &line) }
    return journal.revision != revision
  }

  /// Decides what waits, until the batch has no room left.
  mutating func decideWaiting<A: Aggregate>(
    _ line: inout BatchLine, limit: Int, parser: JSONParser, _ state: inout A
  ) -> TakeResult {
    guard canDecide else { return inbox.isEmpty ? .noEvents : .waits }
    var decided = 0
    let revision = journal.revision
    while decided < inbox.count, line.byteCount < limit {
      line.source = fetch.take()
      inbox[decided].withIncoming(of: journal.stream, parser: parser) {
        _ = decide($0, &line, &state)
      }
      line.source = nil
      if let source = line.takeNeededSource() {
        fetch.need(source)
        break
      }
      decided += 1
    }
    inbox.removeFirst(decided)
    if fetch.isOpen { return .waits }
    if !inbox.isEmpty { return .waitsForRoom }
    return journal.revision != revision ? .events : .noEvents
  }

  // MARK: Settling

  /// Batch `number` is durable, with `first` as the position of its first event.
  mutating func committed<A: Aggregate>(
    _ number: UInt64, first: GlobalPosition, _ state: inout A
  ) {
    journal.settle(number, first: first)
    startAfreshIfInvalid(&state)
    if SnapshotPolicy.isDue(events: unkeptEvents, footprint: state.memoryFootprint) {
      requestSnapshot(A.self)
    }
  }

  /// Batch `number` was not written: what was decided from its first command on is void.
  mutating func failed<A: Aggregate>(
    _ number: UInt64, _ line: inout BatchLine, _ state: inout A
  ) {
    isInvalid = true
    abandonLive(&line)
    journal.settle(number, first: nil)
    startAfreshIfInvalid(&state)
  }

  private mutating func startAfreshIfInvalid<A: Aggregate>(_ state: inout A) {
    guard isInvalid, journal.batchesUnderWay == 0 else { return }
    isInvalid = false
    state = A()
    journal = StreamJournal(journal.stream)
    phase = .unloaded
  }

  // MARK: Snapshots

  /// How many events no snapshot covers.
  private var unkeptEvents: UInt64 {
    journal.revision > snapshotRevision
      ? journal.revision.rawValue - snapshotRevision.rawValue : 0
  }

  private mutating func requestSnapshot<A: Aggregate>(_: A.Type) {
    snapshotRevision = journal.revision
    snapshotter?.request(A.self, journal.stream)
  }

  /// To be called before the stream is forgotten: whoever needs it next should find a snapshot.
  mutating func prepareForEviction<A: Aggregate>(_ state: A) {
    let isWorthwhile = SnapshotPolicy.isWorthwhile(
      events: unkeptEvents, footprint: state.memoryFootprint)
    if phase == .ready, isWorthwhile { requestSnapshot(A.self) }
  }

  // MARK: Loading

  /// Whether the stream is to be loaded now; then it counts as loading.
  mutating func beginsToLoad() -> Bool {
    guard phase == .unloaded, !isInvalid, !inbox.isEmpty else { return false }
    phase = .loading
    return true
  }

  mutating func welcome<A: Aggregate>(_ loaded: AggregateLoader.Loaded<A>) {
    journal.revision = loaded.revision
    journal.lastEvent = .durable(loaded.position)
    snapshotRevision = loaded.snapshotRevision
    phase = .ready
  }

  mutating func loadFailed(_ error: ServiceError) {
    phase = .unloaded
    failure = error
  }

  /// Refuses what waited for a load that failed.
  mutating func refuseAfterFailedLoad(_ line: inout BatchLine) {
    guard let error = failure else { return }
    failure = nil
    fetch.cancel()
    for command in inbox { line.refuse(error, token: command.token, id: command.id, in: journal) }
    inbox = []
  }

  // MARK: Other streams

  /// The stream that is to be loaded now for the first command of the inbox.
  mutating func beginsToFetch() -> StreamID? { fetch.begin() }

  mutating func fetched(_ stream: StreamID, _ result: Result<any Sendable, ServiceError>) {
    fetch.finish(stream, result)
  }
}
