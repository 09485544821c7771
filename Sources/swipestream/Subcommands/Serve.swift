internal import ActorRuntime
internal import Domain
internal import EventLog
internal import EventSourcing
internal import Glibc
internal import Messaging
internal import ReadModels

/// Runs the service.
enum Serve: Subcommand {
  static let name = "serve"
  static let summary = "run the service until it is interrupted"
  static let help = """
    usage: swipestream serve [--data DIR] [--commands EP] [--events EP] [--verify]
                             [LIMIT N]…

    Owns DIR (one process at a time), answers requests and publishes events. SIGINT and
    SIGTERM end it within 5 seconds, with everything acknowledged safe.

      --data DIR          log and views (or SWIPESTREAM_DATA;
                          default $XDG_DATA_HOME/swipestream,
                          ~/.local/share/swipestream)
      --commands EP       requests (default tcp://127.0.0.1:7100); port * picks a free one
      --events EP         the feed (default tcp://127.0.0.1:7101)
      --segment-bytes N   size of a log segment, 65536 to 1073741824 (default 67108864)
      --connections N     connections at most, 1 to 1000000 (default 8192)
      --aggregate-memory BYTES
                          what mailboxes and lists may take in memory; idle ones beyond are
                          let go, 65536 to 1099511627776 (default 268435456)
      --command-horizon N how many of the last commands that wrote are remembered, so that one
                          sent again writes once, 1 to 1000000000 (default 1000000)
      --verify            check every byte of the log before serving it
      --scrub-rate N      check it in the background with N MB/s, 0 to 100000 (default 16; 0
                          is off)
    """

  private static let stopSeconds: UInt32 = 5

  static func run(_ arguments: [String]) async throws(Failure) -> ExitStatus {
    let arguments = try Arguments(
      arguments,
      .init(
        flags: ["--verify"],
        values: [
          "--data", "--commands", "--events", "--segment-bytes", "--connections",
          "--aggregate-memory", "--command-horizon", "--scrub-rate",
        ]))
    _ = try arguments.exactly()
    let directory = try DataDirectory.path(arguments)
    let configuration = try serverConfiguration(arguments)
    let logConfiguration = try logConfiguration(arguments, directory)
    let scrub = try scrubConfiguration(arguments)
    // Before signals are taken over: they end a verification at once.
    if arguments.has("--verify") { try verify(directory) }
    let signals = try Signals()

    let store = try open(directory, logConfiguration)
    let events = UpcastingEventStore(store, EventSchemas.upcasters)
    // What SQLite keeps in files for a while stays among the views, which text is erased from.
    setenv("SQLITE_TMPDIR", directory + "/views", 1)
    let projector = Projector(store: events, directory: directory + "/views")
    let queries = ViewQueries(projector: projector)
    let states = StateQueries(store: events)
    // It replaces text as it is stored, whatever its schema.
    let eraser = Eraser(
      store: store, erasable: [Mailbox.erasable, ItemList.erasable],
      followers: [SnapshotRemoval(from: store.snapshots), projector, states],
      progress: ErasureMark(path: directory + "/erasures"), clock: SystemClock())
    let board = ProcessBoard()
    let server = try makeServer(
      configuration, events, store.snapshots,
      ReadModelViews(projector: projector, queries: queries, states: states), eraser, board)
    let runner = ProcessRunner(
      agenda: queries, steps: [WakeStep(), ExpireStep(), MoveStep(store: events)], sink: server,
      clock: SystemClock(), board: board)
    let scrubber = LogScrubber(store: store, configuration: scrub) { damage in
      Output.complain("\(damage); found by the check in the background, nothing was changed")
    }
    let services = ServiceGroup([
      store, scrubber, projector, queries, states, eraser, server, runner,
    ])
    do {
      try await services.start()
    } catch {
      throw Failure(.refused, "cannot start: \(error)")
    }
    announce(server, store, directory)
    _ = await signals.next()
    // Whatever hangs, what was acknowledged is on disk already.
    alarm(stopSeconds)
    await services.stop()
    return .done
  }

  private static func scrubConfiguration(
    _ arguments: Arguments
  ) throws(Failure) -> ScrubConfiguration {
    var configuration = ScrubConfiguration()
    if let rate = try arguments.integer("--scrub-rate", in: 0...100_000) {
      configuration.bytesPerSecond = rate * 1_000_000
    }
    return configuration
  }

  private static func serverConfiguration(
    _ arguments: Arguments
  ) throws(Failure) -> ServerConfiguration {
    let room = DescriptorLimit.raise()
    var configuration = ServerConfiguration(version: Swipestream.version)
    if let endpoint = try arguments.one("--commands") { configuration.commands = endpoint }
    if let endpoint = try arguments.one("--events") { configuration.events = endpoint }
    let wanted = try arguments.integer("--connections", in: 1...1_000_000)
    configuration.connectionLimit = min(wanted ?? configuration.connectionLimit, room)
    if let bytes = try arguments.integer("--aggregate-memory", in: (1 << 16)...(1 << 40)) {
      configuration.registry.residentBytes = bytes
    }
    return configuration
  }

  private static func logConfiguration(
    _ arguments: Arguments, _ directory: String
  ) throws(Failure) -> EventLogConfiguration {
    var configuration = EventLogConfiguration()
    if let bytes = try arguments.integer("--segment-bytes", in: (64 << 10)...(1 << 30)) {
      configuration.segmentBytes = bytes
    }
    if let commands = try arguments.integer("--command-horizon", in: 1...1_000_000_000) {
      configuration.commandHorizon = commands
    }
    configuration.knownHeads = DataDirectory.knownHeads(directory)
    return configuration
  }

  /// Refuses a log that is damaged anywhere; one that is not there yet is fine.
  private static func verify(_ directory: String) throws(Failure) {
    guard LogVerifier(directory: directory).isThere else { return }
    let report = try Verification.run(directory)
    guard !report.isFine else { return }
    throw Failure(
      .refused,
      "cannot serve \(directory): "
        + VerificationText(report: report, directory: directory).damages.joined(separator: "\n"))
  }

  private static func open(
    _ directory: String, _ configuration: EventLogConfiguration
  ) throws(Failure) -> SegmentedEventStore {
    do throws(EventLogError) {
      return try SegmentedEventStore.open(directory: directory, configuration: configuration)
    } catch {
      throw Failure(.refused, refusal(error, directory))
    }
  }

  private static func refusal(_ error: EventLogError, _ directory: String) -> String {
    switch error {
    case .inUse, .noLog, .notToBeServed, .repairUnfinished, .repairUnreadable: "\(error)"
    case .damaged, .unreadable:
      "cannot serve \(directory): \(error)\nnothing was changed; `swipestream log verify --data "
        + "\(directory)` looks at all of the log"
    case .storage: "cannot serve \(directory): \(error)"
    }
  }

  private static func makeServer(
    _ configuration: ServerConfiguration, _ store: any EventStore,
    _ snapshots: any SnapshotStore, _ views: ReadModelViews, _ eraser: Eraser,
    _ processes: ProcessBoard
  ) throws(Failure) -> CommandServer {
    do throws(ServiceError) {
      return try CommandServer(
        configuration: configuration, store: store, snapshots: snapshots, views: views,
        eraser: eraser, processes: processes, clock: SystemClock()
      ) { registry in
        registry.register(Mailbox.self)
        registry.register(ItemList.self)
      }
    } catch {
      let isTaken = error.message.contains("Address already in use")
      throw Failure(
        .refused, error.message + (isTaken ? "; is another service running there?" : ""))
    }
  }

  private static func announce(
    _ server: CommandServer, _ store: SegmentedEventStore, _ directory: String
  ) {
    Output.print("data      \(directory)")
    Output.print("log       \(store.logID), head \(store.head)")
    if let note = store.statistics.recoveryNote { Output.print("recovery  \(note)") }
    Output.print("commands  \(server.endpoints.commands)")
    Output.print("events    \(server.endpoints.events)")
    Output.print("ready")
    Output.flush()
  }
}

/// Where a service keeps its data.
enum DataDirectory {
  static func path(_ arguments: Arguments) throws(Failure) -> String {
    if let path = try arguments.one("--data") ?? Environment["SWIPESTREAM_DATA"] {
      guard !path.isEmpty else { throw Failure(.usage, "--data must name a directory") }
      return path
    }
    if let base = Environment["XDG_DATA_HOME"] { return base + "/swipestream" }
    guard let home = Environment["HOME"] else {
      throw Failure(.usage, "no data directory: give --data DIR, or set SWIPESTREAM_DATA")
    }
    return home + "/.local/share/swipestream"
  }

  /// How far the views in a data directory are: a log that ends before has lost its end.
  static func knownHeads(_ directory: String) -> [KnownHead] {
    ViewCheckpoints.read(in: directory + "/views").map {
      KnownHead(log: $0.log, position: $0.position.rawValue)
    }
  }
}
