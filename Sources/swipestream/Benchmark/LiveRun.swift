internal import ActorRuntime
internal import FastJSON
internal import Wire
internal import ZeroMQSockets

/// How long after a command was sent its receipt is there, and its event at each of the subscribers.
///
/// One command is under way at a time, in a mailbox of its own, to which the subscribers listen.
struct LiveRun {
  private static let mails = 1000

  let subscribers: Int
  let seconds: Int
  /// Called when the mailbox and the subscriptions are there.
  let whenReady: () -> Void

  /// A subscription with a connection of its own.
  private struct Subscriber {
    let peer: BenchmarkPeer
    let beginning: [UInt8]
    let name: String
    var ungranted = 0
  }

  func run(endpoint: String) throws(Failure) -> JSON {
    let peer = try BenchmarkPeer(endpoint: endpoint)
    let ids = RequestIDs()
    let streams = LoadStreams(
      category: "mailbox", base: "mailbox/bench-" + ids.run, count: 1, rows: Self.mails,
      isOwn: true)
    // Makes the mailbox, and ends where it began: the round over its mails is whole.
    _ = try LoadRun(
      kind: .flag, streams: streams, ids: RequestIDs(), inFlight: 100,
      limit: .count(2 * Self.mails), isReplyOnly: false, whenReady: {}
    ).run(peer)
    var listeners: [Subscriber] = []
    for _ in 0..<subscribers { listeners.append(try subscribe(to: streams.base, endpoint)) }
    whenReady()
    return try measure(peer, LoadRequests(.flag, to: streams, ids), &listeners)
  }

  private func subscribe(to stream: String, _ endpoint: String) throws(Failure) -> Subscriber {
    let peer = try BenchmarkPeer(endpoint: endpoint)
    let answer = try peer.answer(to: [
      "op": "subscribe", "id": "subscribe", "from": "end", "stream": .string(stream),
      "credit": .integer(WireLimits.credit),
    ])
    guard let name = answer["sub"]?.string else {
      throw Failure(.refused, "the answer to subscribe names no subscription: \(answer.text)")
    }
    let beginning = #"{"sub":"\#(name)","events":[{"position":"#
    return Subscriber(peer: peer, beginning: Array(beginning.utf8), name: name)
  }

  /// What was measured, in the order in which things arrive.
  private struct Times {
    var receipts = LatencyHistogram()
    var first = LatencyHistogram()
    var last = LatencyHistogram()
  }

  private func measure(
    _ peer: BenchmarkPeer, _ requests: LoadRequests, _ listeners: inout [Subscriber]
  ) throws(Failure) -> JSON {
    var times = Times()
    var polled = PollSet()
    _ = peer.add(to: &polled)
    for listener in listeners { _ = listener.peer.add(to: &polled) }
    let start = MonotonicTime.nanoseconds
    var commands = 0
    while MonotonicTime.nanoseconds - start < UInt64(seconds) * 1_000_000_000 {
      let sent = MonotonicTime.nanoseconds
      try peer.send(requests.request(commands))
      commands += 1
      try awaitAll(peer, requests.ids, &listeners, sentAt: sent, &polled, &times)
    }
    return [
      "what": "live", "subscribers": .integer(subscribers), "commands": .integer(commands),
      "receipt": Self.members(times.receipts), "first": Self.members(times.first),
      "last": Self.members(times.last),
    ]
  }

  /// Takes in one command's receipt, and its event from each subscriber.
  private func awaitAll(
    _ peer: BenchmarkPeer, _ ids: RequestIDs, _ listeners: inout [Subscriber], sentAt sent: UInt64,
    _ polled: inout PollSet, _ times: inout Times
  ) throws(Failure) {
    var hasReceipt = false
    var events = 0
    while true {
      if !hasReceipt, peer.receive() {
        guard ids.number(ofAccepted: peer.message) != nil else {
          throw Failure(.refused, "no receipt: \(String(decoding: peer.message, as: UTF8.self))")
        }
        times.receipts.add(nanoseconds: MonotonicTime.nanoseconds - sent)
        hasReceipt = true
      }
      let arrived = try Self.takeEvents(&listeners)
      if arrived > 0 {
        let time = MonotonicTime.nanoseconds - sent
        if events == 0 { times.first.add(nanoseconds: time) }
        events += arrived
        if events == listeners.count { times.last.add(nanoseconds: time) }
      }
      if hasReceipt, events == listeners.count { return }
      polled.wait(milliseconds: 1000)
    }
  }

  /// Takes one message from each subscriber that has one, and counts the events.
  private static func takeEvents(_ listeners: inout [Subscriber]) throws(Failure) -> Int {
    var events = 0
    for index in listeners.indices where listeners[index].peer.receive() {
      let peer = listeners[index].peer
      // Anything else is a heartbeat, the word that it is live now, or the answer to `credit`.
      guard peer.message.starts(with: listeners[index].beginning) else { continue }
      events += 1
      listeners[index].ungranted += 1
      guard listeners[index].ungranted >= WireLimits.credit / 2 else { continue }
      try peer.send([
        "op": "credit", "id": "credit", "sub": .string(listeners[index].name),
        "add": .integer(listeners[index].ungranted),
      ])
      listeners[index].ungranted = 0
    }
    return events
  }

  private static func members(_ latencies: LatencyHistogram) -> JSON {
    [
      "p50Microseconds": .double(latencies.microseconds(atShare: 0.5)),
      "p99Microseconds": .double(latencies.microseconds(atShare: 0.99)),
      "p999Microseconds": .double(latencies.microseconds(atShare: 0.999)),
    ]
  }
}
