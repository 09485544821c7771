internal import FastJSON
internal import SwipestreamClient

/// Measures a running service, or a log.
enum Bench: Subcommand {
  static let name = "bench"
  static let summary = "measure a running service, or a log"
  static let help = """
    usage: swipestream bench load    [--inflight N] [--seconds S|--count N] [--mails N]
           swipestream bench tail    [--from P]
           swipestream bench rebuild
           swipestream bench replay  --data DIR [--passes N]
           swipestream bench fill    --data DIR [--events N] [--streams N]

    Prints one JSON object with what was measured. Scripts/bench puts these together, beside
    what bare ZeroMQ and the disk give.

    load     flags and unflags the mails of a new mailbox, one event a command
      --inflight N    commands under way at once (default 10000)
      --seconds S     send for so long (default 5), or
      --count N       send so many
      --mails N       the mailbox's size (default 1000)
      --reply-only    the peer answers `"ok":true` to anything and keeps nothing
    tail     reads the log through one subscription, up to its head
      --from P        behind this position (default 0)
    rebuild  builds all views anew
    replay   reads a log that no service has open, and folds it into its mailboxes
      --data DIR      the service's data directory (or SWIPESTREAM_DATA)
      --passes N      how often; the medians count (default 3)
    fill     makes a new log: a quarter of its events in the mailbox 'large', the rest in many
             others, one event in four a new mail
      --data DIR      a new directory (or SWIPESTREAM_DATA)
      --events N      how many (default 1000000)
      --streams N     how many other mailboxes (default 1000)
    load, tail and rebuild:
      --endpoint EP   the service's command endpoint (or SWIPESTREAM_ENDPOINT;
                      default \(ServiceClient.defaultEndpoint))
    """

  static func run(_ arguments: [String]) async throws(Failure) -> ExitStatus {
    let rest = Array(arguments.dropFirst())
    let result: JSON
    switch arguments.first {
    case "load": result = try load(rest)
    case "tail": result = try tail(rest)
    case "rebuild": result = try rebuild(rest)
    case "replay": result = try await replay(rest)
    case "fill": result = try await fill(rest)
    default:
      throw Failure(
        .usage, "bench takes load, tail, rebuild, replay or fill; --help shows the usage")
    }
    Output.print(result.bytes)
    return .done
  }

  private static func load(_ arguments: [String]) throws(Failure) -> JSON {
    let arguments = try Arguments(
      arguments,
      .init(
        flags: ["--reply-only"],
        values: ["--endpoint", "--inflight", "--seconds", "--count", "--mails"]))
    _ = try arguments.exactly()
    let count = try arguments.integer("--count", in: 1...Int(UInt32.max))
    let seconds = try arguments.integer("--seconds", in: 1...86_400)
    guard count == nil || seconds == nil else {
      throw Failure(.usage, "--seconds and --count exclude each other")
    }
    let load = CommandLoad(
      inFlight: try arguments.integer("--inflight", in: 1...100_000) ?? 10_000,
      mails: try arguments.integer("--mails", in: 1...100_000) ?? 1000,
      limit: count.map { .count($0) } ?? .seconds(seconds ?? 5),
      isReplyOnly: arguments.has("--reply-only"))
    return try load.run(try BenchmarkPeer(endpoint: try endpoint(arguments)))
  }

  private static func tail(_ arguments: [String]) throws(Failure) -> JSON {
    let arguments = try Arguments(arguments, .init(values: ["--endpoint", "--from"]))
    _ = try arguments.exactly()
    let from = try arguments.integer("--from", in: 0...Int.max) ?? 0
    var tail = TailRun(try BenchmarkPeer(endpoint: try endpoint(arguments)), from: from)
    return try tail.run()
  }

  private static func rebuild(_ arguments: [String]) throws(Failure) -> JSON {
    let arguments = try Arguments(arguments, .init(values: ["--endpoint"]))
    _ = try arguments.exactly()
    return try RebuildRun.run(try BenchmarkPeer(endpoint: try endpoint(arguments)))
  }

  private static func replay(_ arguments: [String]) async throws(Failure) -> JSON {
    let arguments = try Arguments(arguments, .init(values: ["--data", "--passes"]))
    _ = try arguments.exactly()
    return try await ReplayRun.run(
      directory: try DataDirectory.path(arguments),
      passes: try arguments.integer("--passes", in: 1...1000) ?? 3)
  }

  private static func fill(_ arguments: [String]) async throws(Failure) -> JSON {
    let arguments = try Arguments(
      arguments, .init(values: ["--data", "--events", "--streams"]))
    _ = try arguments.exactly()
    return try await FillRun(
      directory: try DataDirectory.path(arguments),
      events: try arguments.integer("--events", in: 1...1_000_000_000) ?? 1_000_000,
      streams: try arguments.integer("--streams", in: 1...1_000_000) ?? 1000
    ).run()
  }

  private static func endpoint(_ arguments: Arguments) throws(Failure) -> String {
    try arguments.one("--endpoint") ?? Environment["SWIPESTREAM_ENDPOINT"]
      ?? ServiceClient.defaultEndpoint
  }
}
