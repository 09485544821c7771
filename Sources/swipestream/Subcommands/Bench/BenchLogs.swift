internal import EventSourcing
internal import FastJSON

/// Measures reading a log.
enum BenchReplay: Subcommand {
  static let name = "replay"
  static let summary = "read a log that no service has open, and fold it into its mailboxes"
  static let help = """
    usage: swipestream bench replay [--data DIR] [--passes N]

      --data DIR      the service's data directory (or SWIPESTREAM_DATA)
      --passes N      how often; the medians count (default 3)
    """

  static func run(_ arguments: [String]) async throws(Failure) -> ExitStatus {
    let arguments = try Arguments(arguments, .init(values: ["--data", "--passes"]))
    _ = try arguments.exactly()
    let result = try await ReplayRun.run(
      directory: try DataDirectory.path(arguments),
      passes: try arguments.integer("--passes", in: 1...1000) ?? 3)
    Output.print(result.bytes)
    return .done
  }
}

/// Makes a log to measure.
enum BenchFill: Subcommand {
  static let name = "fill"
  static let summary = "make a new log of a given size"
  static let help = """
    usage: swipestream bench fill [--data DIR] [--events N] [--streams N] [--lists]
                                  [--new-every N]

    A quarter of the events is in the mailbox 'large', the rest in many others.

      --data DIR      a new directory (or SWIPESTREAM_DATA)
      --events N      how many (default 1000000)
      --streams N     how many other streams (default 1000); 0 leaves all to the large one
      --lists         lists instead, whose items are added, moved and edited
      --new-every N   one event in N is a new mail or item, the others change those that are
                      there (default 4; 1 changes none)
    """

  static func run(_ arguments: [String]) async throws(Failure) -> ExitStatus {
    let arguments = try Arguments(
      arguments,
      .init(flags: ["--lists"], values: ["--data", "--events", "--streams", "--new-every"]))
    _ = try arguments.exactly()
    let fill = FillRun(
      directory: try DataDirectory.path(arguments),
      events: try arguments.integer("--events", in: 1...1_000_000_000) ?? 1_000_000,
      streams: try arguments.integer("--streams", in: 0...1_000_000) ?? 1000,
      category: arguments.has("--lists") ? .list : .mailbox,
      newShare: try arguments.integer("--new-every", in: 1...1_000_000) ?? 4)
    Output.print(try await fill.run().bytes)
    return .done
  }
}
