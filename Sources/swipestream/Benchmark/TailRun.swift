internal import ActorRuntime
internal import EventSourcing
internal import FastJSON
internal import Glibc
internal import Wire

/// Reads the log's history through one subscription as fast as it comes.
///
/// Positions have no gaps, so a message's first and last position tell how many events it holds;
/// the events between are not looked at, which bare PULL does not do either.
struct TailRun {
  /// Credit is given back in steps of so many events, well before it runs out.
  private static let creditStep = WireLimits.credit / 4

  private let peer: BenchmarkPeer
  private let from: Int
  private var subscription = ""
  private var last: Int
  private var ungranted = 0
  private var messages = 0
  private var bytes = 0

  init(_ peer: BenchmarkPeer, from: Int) {
    self.peer = peer
    self.from = from
    last = from
  }

  mutating func run() throws(Failure) -> JSON {
    let answer = try peer.answer(to: [
      "op": "subscribe", "id": "subscribe", "from": .integer(from),
      "credit": .integer(WireLimits.credit),
    ])
    let start = MonotonicTime.nanoseconds
    guard let subscription = answer["sub"]?.string, let head = answer["head"]?.integer else {
      throw Failure(.refused, "the answer to subscribe says not what it should: \(answer.text)")
    }
    self.subscription = subscription
    let beginning = Array(#"{"sub":"\#(subscription)","events":[{"position":"#.utf8)
    while last < head {
      try peer.receiveNext()
      if !takeEvents(peer.message, beginning: beginning) { try takeOther() }
      if ungranted >= Self.creditStep { try grant() }
    }
    let seconds = Double(MonotonicTime.nanoseconds - start) / 1e9
    let events = last - from
    return [
      "what": "tail", "events": .integer(events), "seconds": .double(seconds),
      "perSecond": .double(Double(events) / seconds), "messages": .integer(messages),
      "bytes": .integer(bytes),
    ]
  }

  /// - Returns: false where the message is none of events that follow the last one.
  private mutating func takeEvents(_ message: UnsafeRawBufferPointer, beginning: [UInt8]) -> Bool {
    guard message.count > beginning.count, let start = message.baseAddress,
      memcmp(start, beginning, beginning.count) == 0,
      Self.number(behind: beginning.count, in: message) == last + 1,
      let previous = Self.numberAtEnd(of: message)
    else { return false }
    // Each event names the one before it.
    ungranted += previous + 1 - last
    last = previous + 1
    messages += 1
    bytes += message.count
    return true
  }

  private static func number(behind offset: Int, in message: UnsafeRawBufferPointer) -> Int {
    var value = 0
    for byte in message[offset...] {
      guard (48...57).contains(byte) else { break }
      value = value * 10 + Int(byte - 48)
    }
    return value
  }

  /// The number in front of the closing `}]}`.
  private static func numberAtEnd(of message: UnsafeRawBufferPointer) -> Int? {
    guard message.suffix(3).elementsEqual("}]}".utf8) else { return nil }
    var value = 0
    var scale = 1
    for byte in message.dropLast(3).reversed() {
      guard (48...57).contains(byte) else { break }
      value += Int(byte - 48) * scale
      scale *= 10
    }
    return value
  }

  /// An answer to `credit`, a heartbeat, or what ends the run.
  private func takeOther() throws(Failure) {
    guard let message = try? JSON(parsing: peer.message) else {
      throw Failure(.refused, "a message is not JSON")
    }
    if message["heartbeat"] != nil || message["ok"]?.bool == true { return }
    throw Failure(.refused, "behind position \(last) came: \(message.text.prefix(500))")
  }

  private mutating func grant() throws(Failure) {
    try peer.send([
      "op": "credit", "id": "credit", "sub": .string(subscription), "add": .integer(ungranted),
    ])
    ungranted = 0
  }
}
