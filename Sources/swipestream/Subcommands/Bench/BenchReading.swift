internal import FastJSON

/// Measures how long an event takes to whoever listens.
enum BenchLive: Subcommand {
  static let name = "live"
  static let summary = "how long a receipt takes, and an event to its subscribers"
  static let help = """
    usage: swipestream bench live [--subscribers N] [--seconds S] [--when-told]

    Sends one command at a time and takes the time from its sending: until its receipt, until
    the first subscriber has its event, and until the last one has.

      --subscribers N  each with a connection of its own (default 1)
      --seconds S      for so long (default 5)
    \(BenchStart.help)
    \(BenchEndpoint.help)
    """

  static func run(_ arguments: [String]) async throws(Failure) -> ExitStatus {
    let arguments = try Arguments(
      arguments,
      .init(flags: ["--when-told"], values: ["--endpoint", "--subscribers", "--seconds"]))
    _ = try arguments.exactly()
    let live = LiveRun(
      subscribers: try arguments.integer("--subscribers", in: 0...1000) ?? 1,
      seconds: try arguments.integer("--seconds", in: 1...86_400) ?? 5,
      whenReady: BenchStart.whenTold(arguments))
    Output.print(try live.run(endpoint: try BenchEndpoint.name(arguments)).bytes)
    return .done
  }
}

/// Measures one subscription that catches up.
enum BenchTail: Subcommand {
  static let name = "tail"
  static let summary = "read the log through one subscription, up to its head"
  static let help = """
    usage: swipestream bench tail [--from P]

      --from P        behind this position (default 0)
    \(BenchEndpoint.help)
    """

  static func run(_ arguments: [String]) async throws(Failure) -> ExitStatus {
    let arguments = try Arguments(arguments, .init(values: ["--endpoint", "--from"]))
    _ = try arguments.exactly()
    let from = try arguments.integer("--from", in: 0...Int.max) ?? 0
    var tail = TailRun(try BenchEndpoint.peer(arguments), from: from)
    Output.print(try tail.run().bytes)
    return .done
  }
}

/// Measures a rebuild.
enum BenchRebuild: Subcommand {
  static let name = "rebuild"
  static let summary = "build all views anew, or one"
  static let help = """
    usage: swipestream bench rebuild [--view VIEW]

    \(BenchEndpoint.help)
    """

  static func run(_ arguments: [String]) async throws(Failure) -> ExitStatus {
    let arguments = try Arguments(arguments, .init(values: ["--endpoint", "--view"]))
    _ = try arguments.exactly()
    let result = try RebuildRun.run(
      try BenchEndpoint.peer(arguments), view: try arguments.one("--view"))
    Output.print(result.bytes)
    return .done
  }
}
