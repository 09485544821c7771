internal import ActorRuntime
internal import FastJSON

/// Keeps requests in flight and counts their answers.
///
/// One thread and few cycles per request, as the processors are shared with what is measured.
struct CommandLoad {
  enum Limit {
    case seconds(Int)
    case count(Int)
  }

  /// What a run is measured by.
  struct Tally {
    var requests = 0
    var replyBytes = 0
    var nanoseconds: UInt64 = 0
    var firstRevision: Int?
    /// The request that was answered last.
    var last = 0
    var latencies = LatencyHistogram()
  }

  /// Answers taken in before the line is filled up again.
  private static let drainLimit = 256

  let requests: LoadRequests
  let inFlight: Int
  let limit: Limit

  func run(_ peer: BenchmarkPeer) throws(Failure) -> Tally {
    var tally = Tally()
    var clock = RequestClock(inFlight: inFlight)
    var answered: [Int] = []
    answered.reserveCapacity(Self.drainLimit)
    var sent = 0
    let start = MonotonicTime.nanoseconds
    var now = start
    while true {
      let goal = hasTime(since: start, now: now) ? goal(sent: sent, answered: tally.requests) : sent
      while sent < goal, clock.hasRoom(for: sent) {
        try peer.send(requests.request(sent))
        clock.send(sent, at: now)
        sent += 1
      }
      if tally.requests == sent { break }
      answered.removeAll(keepingCapacity: true)
      try drain(peer, upTo: sent, &answered, &tally)
      now = MonotonicTime.nanoseconds
      for request in answered where !clock.answer(request, at: now) {
        throw Failure(.refused, "request \(request) was answered, but not under way")
      }
      if answered.isEmpty { try peer.wait() }
    }
    tally.nanoseconds = now - start
    tally.latencies = clock.latencies
    return tally
  }

  private func hasTime(since start: UInt64, now: UInt64) -> Bool {
    guard case .seconds(let seconds) = limit else { return true }
    return now - start < UInt64(seconds) * 1_000_000_000
  }

  /// How many requests may have been sent now.
  private func goal(sent: Int, answered: Int) -> Int {
    guard case .count(let count) = limit else { return answered + inFlight }
    return min(answered + inFlight, count)
  }

  private func drain(
    _ peer: BenchmarkPeer, upTo sent: Int, _ answered: inout [Int], _ tally: inout Tally
  ) throws(Failure) {
    // A receive in vain would clear the last receipt.
    while answered.count < Self.drainLimit, tally.requests < sent, peer.receive() {
      guard let number = requests.ids.number(ofAccepted: peer.message),
        !requests.isAnsweredInOrder || number == tally.requests
      else {
        let message = String(decoding: peer.message.prefix(500), as: UTF8.self)
        throw Failure(.refused, "no answer to request \(tally.requests): \(message)")
      }
      if tally.requests == 0 { tally.firstRevision = try peer.accepted()["revision"]?.integer }
      tally.requests += 1
      tally.replyBytes += peer.message.count
      tally.last = number
      answered.append(number)
    }
  }
}
