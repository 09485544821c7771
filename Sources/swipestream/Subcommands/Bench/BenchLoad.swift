internal import FastJSON

/// Keeps a service busy with commands.
enum BenchLoad: Subcommand {
  static let name = "load"
  static let summary = "keep commands, or queries, in flight"
  static let help = """
    usage: swipestream bench load [--kind KIND] [--inflight N] [--seconds S|--count N]
                                  [--rows N] [--streams N|--stream NAME]

    Sends commands, each of which writes one event, and takes their receipts.

      --kind KIND     flag      flag all mails of a mailbox, then unflag all (the default)
                      deliver   new mails
                      swipe     a swipe that toggles whether a mail is read
                      add       new items
                      reorder   an item of a list behind another one, both anywhere
                      page      no command: ask for the first 100 rows of a view
      --inflight N    requests under way at once (default 10000)
      --seconds S     send for so long (default 5), or
      --count N       send so many
      --rows N        how many mails or items each stream has (default 1000)
      --streams N     so many new streams, which take turns (default 1)
      --stream NAME   or one that is there and has these rows, no mail of it flagged
    \(BenchStart.help)
      --reply-only    the peer answers `"ok":true` to anything and keeps nothing
    \(BenchEndpoint.help)
    """

  static func run(_ arguments: [String]) async throws(Failure) -> ExitStatus {
    let arguments = try Arguments(
      arguments,
      .init(
        flags: ["--reply-only", "--when-told"],
        values: [
          "--endpoint", "--kind", "--inflight", "--seconds", "--count", "--rows", "--streams",
          "--stream",
        ]))
    _ = try arguments.exactly()
    let whenReady = BenchStart.whenTold(arguments)
    let ids = RequestIDs()
    let kind = try kind(arguments)
    let load = LoadRun(
      kind: kind, streams: try streams(arguments, kind, ids), ids: ids,
      inFlight: try arguments.integer("--inflight", in: 1...100_000) ?? 10_000,
      limit: try limit(arguments), isReplyOnly: arguments.has("--reply-only"),
      whenReady: whenReady)
    Output.print(try load.run(try BenchEndpoint.peer(arguments)).bytes)
    return .done
  }

  private static func kind(_ arguments: Arguments) throws(Failure) -> LoadKind {
    guard let name = try arguments.one("--kind") else { return .flag }
    guard let kind = LoadKind(rawValue: name) else {
      let names = LoadKind.allCases.map(\.rawValue).joined(separator: ", ")
      throw Failure(.usage, "--kind must be one of \(names), not '\(name)'")
    }
    return kind
  }

  private static func limit(_ arguments: Arguments) throws(Failure) -> CommandLoad.Limit {
    let count = try arguments.integer("--count", in: 1...Int(UInt32.max))
    let seconds = try arguments.integer("--seconds", in: 1...86_400)
    guard count == nil || seconds == nil else {
      throw Failure(.usage, "--seconds and --count exclude each other")
    }
    return count.map { .count($0) } ?? .seconds(seconds ?? 5)
  }

  private static func streams(
    _ arguments: Arguments, _ kind: LoadKind, _ ids: RequestIDs
  ) throws(Failure) -> LoadStreams {
    let count = try arguments.integer("--streams", in: 1...LoadStreams.limit)
    // Its moves follow one another.
    guard kind != .reorder || count ?? 1 == 1 else {
      throw Failure(.usage, "--kind reorder is of one list: leave out --streams")
    }
    // A move needs somewhere to move to.
    let rows = try arguments.integer("--rows", in: 2...10_000_000) ?? 1000
    guard let name = try arguments.one("--stream") else {
      return LoadStreams(
        category: kind.category, base: "\(kind.category)/bench-\(ids.run)", count: count ?? 1,
        rows: rows, isOwn: true)
    }
    guard count == nil else { throw Failure(.usage, "--streams and --stream exclude each other") }
    let category = name.prefix { $0 != "/" }
    guard kind == .page || category == kind.category, ["mailbox", "list"].contains(category) else {
      throw Failure(.usage, "--kind \(kind.rawValue) needs a \(kind.category), not '\(name)'")
    }
    return LoadStreams(
      category: String(category), base: name, count: 1, rows: rows, isOwn: false)
  }
}
