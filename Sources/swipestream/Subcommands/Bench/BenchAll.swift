internal import FastJSON
internal import Glibc

/// `bench` alone: everything that needs no baseline, on a service of its own.
enum BenchAll {
  static func run(_ arguments: [String]) async throws(Failure) -> ExitStatus {
    let arguments = try Arguments(
      arguments, .init(flags: ["--json"], values: ["--seconds", "--data"]))
    _ = try arguments.exactly()
    let seconds = try arguments.integer("--seconds", in: 1...3600) ?? 1
    let given = try arguments.one("--data")
    let directory = if let given { given } else { try temporaryDirectory() }
    defer { if given == nil { remove(directory) } }
    var results = try OwnService.with(directory: directory) {
      (endpoint) throws(Failure) -> [BenchResult] in
      try measure(endpoint, seconds: seconds)
    }
    let replay = try await ReplayRun.run(directory: directory, passes: 3)
    results += [
      .init("read and verified", replay, "readPerSecond", "events/s"),
      .init("and folded into mailboxes", replay, "foldPerSecond", "events/s"),
    ]
    if arguments.has("--json") {
      Output.print(JSON.object(results.map { .init($0.what, $0.json) }).bytes)
    } else {
      for result in results { Output.print(result.line) }
    }
    return .done
  }

  private static func measure(
    _ endpoint: String, seconds: Int
  ) throws(Failure) -> [BenchResult] {
    var results: [BenchResult] = []
    for inFlight in [1, 100, 10_000] {
      Output.progress("commands, \(inFlight) in flight")
      let load = try load(.flag, inFlight, .seconds(seconds), endpoint)
      results.append(.init("commands, \(inFlight) in flight", load, "perSecond", "1/s"))
      guard inFlight == 1 else { continue }
      results.append(.init("receipt of one in flight, p50", load, "p50Microseconds", "µs"))
      results.append(.init("receipt of one in flight, p99", load, "p99Microseconds", "µs"))
    }
    for kind in [LoadKind.deliver, .swipe, .reorder] {
      Output.progress("commands, \(kind.rawValue)")
      let load = try load(kind, 10_000, .seconds(seconds), endpoint)
      results.append(.init("\(kind.rawValue), 10000 in flight", load, "perSecond", "1/s"))
    }
    Output.progress("tailing")
    let live = try LiveRun(subscribers: 1, seconds: seconds, whenReady: {}).run(endpoint: endpoint)
    results.append(
      .init("event at a subscriber, p50", live["last"] ?? .null, "p50Microseconds", "µs"))
    var tail = TailRun(try BenchmarkPeer(endpoint: endpoint), from: 0)
    results.append(.init("tail of history", try tail.run(), "perSecond", "events/s"))
    Output.progress("rebuilding")
    let rebuild = try RebuildRun.run(try BenchmarkPeer(endpoint: endpoint), view: nil)
    results.append(.init("rebuild of the views", rebuild, "perSecond", "events/s"))
    Output.endProgress()
    return results
  }

  private static func load(
    _ kind: LoadKind, _ inFlight: Int, _ limit: CommandLoad.Limit, _ endpoint: String
  ) throws(Failure) -> JSON {
    let ids = RequestIDs()
    let streams = LoadStreams(
      category: kind.category, base: "\(kind.category)/bench-\(ids.run)", count: 1, rows: 1000,
      isOwn: true)
    return try LoadRun(
      kind: kind, streams: streams, ids: ids, inFlight: inFlight, limit: limit,
      isReplyOnly: false, whenReady: {}
    ).run(try BenchmarkPeer(endpoint: endpoint))
  }

  /// On the working directory's disk: a file system in memory would make every sync free.
  private static func temporaryDirectory() throws(Failure) -> String {
    var path = Array("swipestream-bench.XXXXXX".utf8CString)
    guard mkdtemp(&path) != nil else {
      throw Failure(
        .refused,
        "cannot make a directory here: \(String(cString: strerror(errno))); name one with --data")
    }
    return String(decoding: path.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  private static func remove(_ directory: String) {
    if let entries = opendir(directory) {
      defer { closedir(entries) }
      while let entry = readdir(entries) {
        let name = withUnsafePointer(to: &entry.pointee.d_name) {
          $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        }
        if name == "." || name == ".." { continue }
        if entry.pointee.d_type == UInt8(DT_DIR) {
          remove(directory + "/" + name)
        } else {
          unlink(directory + "/" + name)
        }
      }
    }
    rmdir(directory)
  }
}

/// One line of the table.
struct BenchResult {
  let what: String
  private let value: Double
  private let unit: String

  init(_ what: String, _ measured: JSON, _ key: String, _ unit: String) {
    self.what = what
    value = measured[key]?.double ?? 0
    self.unit = unit
  }

  var json: JSON { ["value": .double(value), "unit": .string(unit)] }

  var line: String {
    let number = Decimals.text(value, value < 1000 ? 1 : 0)
    let padding = String(repeating: " ", count: max(0, 12 - number.utf8.count))
    return TerminalText.column(what, width: 34) + padding + number + " " + unit
  }
}
