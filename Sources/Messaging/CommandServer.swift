public import ActorRuntime
public import EventSourcing
internal import FastJSON
internal import Wire
internal import ZeroMQSockets

/// The service on ZeroMQ: owns the sockets, and with them one shard of aggregates on one thread.
///
/// Each turn takes in what has come, has each command decided as it comes into one batch, and sends
/// what is answered. Nothing here blocks but the wait for news.
public actor CommandServer: PolledActor, Service {
  /// Requests taken in per turn, so that answers do not wait behind a flood.
  static let requestsPerTurn = 4096
  static let requestBytesPerTurn = 8 << 20
  private static let busyTurnsPerLook = 64

  public nonisolated let name = "command server"
  nonisolated let executor: PollingExecutor
  let configuration: ServerConfiguration
  let store: any EventStore
  let views: any ViewProvider
  let eraser: Eraser?
  let processes: ProcessBoard?
  let outbound: Handoff<Outbound>
  let pump: SubscriptionPump
  let reader: LogReader
  let registry: AggregateRegistry
  private nonisolated let stopLoading: @Sendable () -> Void

  private var context: Context?
  var router: Socket?
  var feed: Socket?
  var connections: ConnectionLimiter?
  private var polled = DescriptorSet()
  /// Whether something went out on the feed since its subscriptions were last looked at.
  var hasFed = false

  let parser = JSONParser()
  var writer = JSONWriter(capacity: 4096)
  let frames = RequestFrames()
  var slots = ReplySlots()
  /// The subscriptions that want previews.
  var previewers: [String: EventFilter] = [:]
  var serviceSlots = ServiceCommandSlots()
  /// Who owns each subscription.
  var subscribers: [String: PeerAddress] = [:]
  /// Frames of an earlier generation belong to before the subscription went back.
  var voidGenerations: [String: Int] = [:]
  var nextSubscription = 1
  var feedListeners = 0
  var slowRequests = 0
  /// The same, by who asked.
  var slowRequestsOfPeer: [PeerAddress: Int] = [:]
  var outputMeters = OutputMeters()
  var counters = ServerCounters()
  private(set) var isStopping = false
  private var busyTurns = 0

  /// Where the sockets are bound, with the ports that were picked.
  public nonisolated let endpoints: (commands: String, events: String)

  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  /// Binds the endpoints; nothing is answered before ``start()``.
  ///
  /// - Parameters:
  ///   - configuration: what to bind, and the limits.
  ///   - store: the log.
  ///   - snapshots: where the aggregates' snapshots are kept; nil for none.
  ///   - views: what `query`, `state` and `rebuild` are answered from.
  ///   - eraser: how it is getting on is part of `status`.
  ///   - processes: how the work that falls due is getting on, likewise.
  ///   - clock: tells when a command is decided.
  ///   - register: tells the registry which aggregates it is responsible for.
  /// - Throws: `unavailable` where an endpoint cannot be bound.
  public init(
    configuration: ServerConfiguration, store: any EventStore,
    snapshots: (any SnapshotStore)? = nil, views: any ViewProvider, eraser: Eraser? = nil,
    processes: ProcessBoard? = nil, clock: any WallClock,
    register: (AggregateRegistry) -> Void
  ) throws(ServiceError) {
    self.configuration = configuration
    self.store = store
    self.views = views
    self.eraser = eraser
    self.processes = processes
    executor = PollingExecutor(name: "shard-0")
    outbound = Handoff(to: executor)
    pump = SubscriptionPump(store: store, outbound: outbound)
    reader = LogReader(store: store)
    registry = AggregateRegistry(
      store: store, snapshots: snapshots, executor: executor, clock: clock,
      limits: configuration.registry)
    register(registry)
    stopLoading = registry.stopLoading
    let context = Context()
    self.context = context
    do throws(ZeroMQError) {
      let bound = try BoundSockets(configuration, context, wake: executor.wakeDescriptor)
      router = bound.router
      feed = bound.feed
      connections = bound.connections
      polled = bound.polled
      endpoints = bound.endpoints
    } catch {
      throw ServiceError(.unavailable, "cannot listen: \(error)")
    }
  }

  /// Begins to answer.
  public nonisolated func start() async {
    pump.start()
    executor.start(driving: self)
  }

  /// Takes nothing more in, answers what was taken in, and closes the sockets.
  public nonisolated func stop() async {
    await beginStop()
    for _ in 0..<200 where await isAnswering { await pause() }
    pump.stop()
    reader.stop()
    stopLoading()
    await closeSockets()
    executor.stop()
  }

  // MARK: The turn

  /// One turn of the server's thread; the executor calls it.
  public func turn(mayBlock: Bool) {
    var didWork = sendOutbound()
    didWork = takeRequests() || didWork
    if registry.hasWork {
      runRegistry()
      didWork = true
    }
    if mayBlock && !didWork {
      if hasFed { takeFeedSubscriptions() }
      polled.wait(milliseconds: min(1000, registry.millisecondsToDeadline ?? 1000))
      if feed != nil, BoundSockets.quietIndices.contains(where: polled.isReadable) {
        attendQuietSockets()
      }
    } else {
      busyTurns += 1
      if busyTurns.isMultiple(of: Self.busyTurnsPerLook) { attendQuietSockets() }
    }
  }

  /// The sockets on which little happens; a look at each costs more than a turn's other polling.
  private func attendQuietSockets() {
    takeFeedSubscriptions()
    connections?.update()
  }

  func runRegistry() {
    registry.run({ send($0) }, showing: { show($0) })
  }

  private func takeRequests() -> Bool {
    guard let router, !isStopping else { return false }
    var taken = 0
    var bytes = 0
    while taken < Self.requestsPerTurn, bytes < Self.requestBytesPerTurn,
      let message = frames.receive(from: router)
    {
      taken += 1
      bytes += message.size
      handle(message)
    }
    return taken > 0
  }

  // MARK: Stopping

  private var isAnswering: Bool { registry.unansweredCommands > 0 }

  private func beginStop() {
    isStopping = true
    connections?.close()
  }

  private func closeSockets() {
    endServiceCommands()
    _ = sendOutbound()
    router = nil
    feed = nil
    connections = nil
    polled = DescriptorSet()
    _ = polled.add(descriptor: executor.wakeDescriptor)
    // Ends libzmq's context, which waits for the last answers to leave, but no longer than the
    // sockets linger.
    context = nil
  }

  private nonisolated func pause() async {
    try? await Task.sleep(nanoseconds: 10_000_000)
  }
}
