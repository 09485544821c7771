internal import ActorRuntime
internal import FastJSON

/// Keeps commands in flight and counts their receipts.
///
/// One thread and few cycles per command, as the processors are shared with what is measured.
struct CommandLoad {
  enum Limit {
    case seconds(Int)
    case count(Int)
  }

  /// Receipts taken in before the line is filled up again.
  private static let drainLimit = 256

  let inFlight: Int
  let mails: Int
  let limit: Limit
  /// Whether the peer keeps nothing, so that there is no mailbox to make and to check.
  let isReplyOnly: Bool

  /// What a run is measured by.
  private struct Tally {
    var commands = 0
    var replyBytes = 0
    var nanoseconds: UInt64 = 0
    var latencies = LatencyHistogram()
  }

  func run(_ peer: BenchmarkPeer) throws(Failure) -> JSON {
    let commands = FlagCommands(mails: mails)
    if isReplyOnly { return members(of: try drive(commands, peer), commands) }
    try deliverMails(to: commands.stream, peer)
    try peer.waitForViews()
    let before = try peer.status()
    let tally = try drive(commands, peer)
    try checkLastReceipt(tally, peer)
    let after = try peer.status()
    try peer.waitForViews()
    return members(of: tally, commands, logBytes: Self.grown("bytes", before, after))
  }

  private static func grown(_ key: String, _ before: JSON, _ after: JSON) -> Int {
    (after[key]?.integer ?? 0) - (before[key]?.integer ?? 0)
  }

  private func deliverMails(to stream: String, _ peer: BenchmarkPeer) throws(Failure) {
    for mail in 1...mails {
      try peer.send([
        "op": "command", "id": .string("deliver-\(mail)"), "stream": .string(stream),
        "command": "deliver",
        "data": [
          "from": "Benchmark", "subject": .string("Mail number \(mail)"),
          "message": "One of many, to be flagged and unflagged.",
        ],
      ])
    }
    for _ in 1...mails {
      try peer.receiveNext()
      _ = try peer.accepted()
    }
  }

  private func drive(_ commands: FlagCommands, _ peer: BenchmarkPeer) throws(Failure) -> Tally {
    var tally = Tally()
    // Receipts come in order, so a ring tells when each command was sent.
    var sentAt = [UInt64](repeating: 0, count: inFlight)
    var sent = 0
    let start = MonotonicTime.nanoseconds
    var now = start
    while true {
      let room = hasTime(since: start, now: now) ? goal(sent: sent, received: tally.commands) : 0
      for _ in 0..<room {
        try peer.send(commands.command(sent))
        sentAt[sent % inFlight] = now
        sent += 1
      }
      if tally.commands == sent { break }
      let drained = try drain(commands, peer, upTo: sent, &tally)
      now = MonotonicTime.nanoseconds
      for command in tally.commands - drained..<tally.commands {
        tally.latencies.add(nanoseconds: now - sentAt[command % inFlight])
      }
      if drained == 0 { try peer.wait() }
    }
    tally.nanoseconds = now - start
    return tally
  }

  private func hasTime(since start: UInt64, now: UInt64) -> Bool {
    guard case .seconds(let seconds) = limit else { return true }
    return now - start < UInt64(seconds) * 1_000_000_000
  }

  /// How many commands may be sent now.
  private func goal(sent: Int, received: Int) -> Int {
    let room = inFlight - (sent - received)
    guard case .count(let count) = limit else { return room }
    return min(room, count - sent)
  }

  private func drain(
    _ commands: FlagCommands, _ peer: BenchmarkPeer, upTo sent: Int, _ tally: inout Tally
  ) throws(Failure) -> Int {
    var drained = 0
    // A receive in vain would clear the last receipt.
    while drained < Self.drainLimit, tally.commands < sent, peer.receive() {
      guard commands.isReceipt(peer.message, of: tally.commands) else {
        let message = String(decoding: peer.message.prefix(500), as: UTF8.self)
        throw Failure(.refused, "no receipt of command \(tally.commands): \(message)")
      }
      tally.commands += 1
      tally.replyBytes += peer.message.count
      drained += 1
    }
    return drained
  }

  /// Were one command without an event, or with two, the mailbox's revision would tell.
  private func checkLastReceipt(_ tally: Tally, _ peer: BenchmarkPeer) throws(Failure) {
    let revision = try peer.accepted()["revision"]?.integer
    guard revision == mails + tally.commands else {
      throw Failure(
        .refused,
        "\(tally.commands) commands led from revision \(mails) to \(revision ?? 0)")
    }
  }

  private func members(of tally: Tally, _ commands: FlagCommands, logBytes: Int? = nil) -> JSON {
    let seconds = Double(tally.nanoseconds) / 1e9
    var members: [JSON.Member] = [
      .init("what", "load"), .init("inFlight", .integer(inFlight)),
      .init("commands", .integer(tally.commands)), .init("seconds", .double(seconds)),
      .init("perSecond", .double(Double(tally.commands) / seconds)),
      .init("p50Microseconds", .double(tally.latencies.microseconds(atShare: 0.5))),
      .init("p99Microseconds", .double(tally.latencies.microseconds(atShare: 0.99))),
      .init("requestBytes", .integer(commands.requestBytes)),
      .init("replyBytes", .double(Double(tally.replyBytes) / Double(max(1, tally.commands)))),
    ]
    if let logBytes {
      members.append(.init("logBytes", .double(Double(logBytes) / Double(max(1, tally.commands)))))
    }
    return .object(members)
  }
}
