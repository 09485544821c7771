/// When each request left that is under way, and how long the answered ones took.
///
/// Receipts of several streams may come in another order than their commands were sent.
struct RequestClock {
  /// The time at the request's number; 0 where none is under way.
  private var sentAt: [UInt64]
  private let mask: Int
  private(set) var latencies = LatencyHistogram()

  init(inFlight: Int) {
    var room = 1
    while room < inFlight * 4 { room *= 2 }
    sentAt = [UInt64](repeating: 0, count: room)
    mask = room - 1
  }

  /// Whether the request may leave: the one that used its place before must be answered.
  @inline(__always)
  func hasRoom(for request: Int) -> Bool { sentAt[request & mask] == 0 }

  @inline(__always)
  mutating func send(_ request: Int, at time: UInt64) { sentAt[request & mask] = time }

  /// - Returns: false where no such request is under way.
  @inline(__always)
  mutating func answer(_ request: Int, at time: UInt64) -> Bool {
    let sent = sentAt[request & mask]
    guard sent != 0 else { return false }
    latencies.add(nanoseconds: time - sent)
    sentAt[request & mask] = 0
    return true
  }
}
