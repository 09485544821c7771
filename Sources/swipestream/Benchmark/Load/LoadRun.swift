internal import ActorRuntime
internal import FastJSON

/// One load with what it needs before, and what is checked after.
struct LoadRun {
  /// While streams get their mails or items.
  private static let setupInFlight = 10_000
  /// In a list of others, a move may happen to lead to where the item is.
  private static let changingShare = 0.99

  let kind: LoadKind
  let streams: LoadStreams
  let ids: RequestIDs
  let inFlight: Int
  let limit: CommandLoad.Limit
  /// Whether the peer keeps nothing, so that there is nothing to make and to check.
  let isReplyOnly: Bool
  /// Called when everything is there.
  let whenReady: () -> Void

  func run(_ peer: BenchmarkPeer) throws(Failure) -> JSON {
    let requests = LoadRequests(kind, to: streams, ids)
    let load = CommandLoad(requests: requests, inFlight: inFlight, limit: limit)
    if isReplyOnly {
      whenReady()
      return LoadReport(load, try load.run(peer)).json
    }
    if streams.isOwn { try setUp(peer) }
    try peer.waitForViews()
    let before = try peer.status()
    whenReady()
    let tally = try load.run(peer)
    if kind != .page { try checkLastReceipt(tally, peer) }
    let after = try peer.status()
    try peer.waitForViews()
    return LoadReport(load, tally, before: before, after: after).json
  }

  private func setUp(_ peer: BenchmarkPeer) throws(Failure) {
    if kind.category == "list" {
      for index in 0..<streams.count {
        _ = try peer.answer(to: [
          "op": "command", "id": "create", "stream": .string(streams.name(index)),
          "command": "create", "data": ["title": "Benchmark", "template": "plain"],
        ])
      }
    }
    guard kind.needsRows else { return }
    let filling = LoadRequests(
      streams.category == "list" ? .add : .deliver, to: streams, RequestIDs())
    let count = streams.count * streams.rows
    _ = try CommandLoad(
      requests: filling, inFlight: Self.setupInFlight, limit: .count(count)
    ).run(peer)
  }

  /// How many events each stream has when the load begins.
  private var revisionBefore: Int {
    let created = kind.category == "list" ? 2 : 0
    return created + (kind.needsRows ? streams.rows : 0)
  }

  /// Were one command without an event, or with two, the stream's revision would tell.
  private func checkLastReceipt(_ tally: CommandLoad.Tally, _ peer: BenchmarkPeer) throws(Failure) {
    let revision = try peer.accepted()["revision"]?.integer ?? 0
    let commands = tally.last / streams.count + 1
    let events = revision - (streams.isOwn ? revisionBefore : (tally.firstRevision ?? 1) - 1)
    let isRight =
      streams.isOwn
      ? events == commands : Double(events) >= Double(commands) * Self.changingShare
    guard isRight else {
      throw Failure(.refused, "\(commands) commands to a stream wrote \(events) events")
    }
  }
}

/// What a load tells of itself.
struct LoadReport {
  private let load: CommandLoad
  private let tally: CommandLoad.Tally
  private let logBytes: Int?

  init(_ load: CommandLoad, _ tally: CommandLoad.Tally, before: JSON? = nil, after: JSON? = nil) {
    self.load = load
    self.tally = tally
    logBytes = after?["bytes"]?.integer.map { $0 - (before?["bytes"]?.integer ?? 0) }
  }

  var json: JSON {
    let requests = Double(max(1, tally.requests))
    let seconds = Double(tally.nanoseconds) / 1e9
    var members: [JSON.Member] = [
      .init("what", "load"), .init("kind", .string(load.requests.kind.rawValue)),
      .init("inFlight", .integer(load.inFlight)),
      .init("streams", .integer(load.requests.streams.count)),
      .init("commands", .integer(tally.requests)), .init("seconds", .double(seconds)),
      .init("perSecond", .double(Double(tally.requests) / seconds)),
      .init("p50Microseconds", .double(tally.latencies.microseconds(atShare: 0.5))),
      .init("p99Microseconds", .double(tally.latencies.microseconds(atShare: 0.99))),
      .init("p999Microseconds", .double(tally.latencies.microseconds(atShare: 0.999))),
      .init("requestBytes", .integer(load.requests.requestBytes)),
      .init("replyBytes", .double(Double(tally.replyBytes) / requests)),
    ]
    if let logBytes { members.append(.init("logBytes", .double(Double(logBytes) / requests))) }
    return .object(members)
  }
}
