internal import ActorRuntime
internal import FastJSON
internal import ZeroMQSockets

/// The service as the benchmarks see it: one DEALER on the calling thread.
///
/// The client library's thread and futures would be measured along with the service, and take their
/// share of the processors from it.
final class BenchmarkPeer {
  /// How long the service may be silent.
  static let patienceMilliseconds = 60_000

  private let socket: Socket
  private var polled = PollSet()
  private let frame = Frame()

  init(endpoint: String) throws(Failure) {
    do throws(ZeroMQError) {
      socket = try Socket(.dealer, in: Context())
      // In flight is what the benchmark says, not what a queue holds.
      try socket.setQueueLimits(send: 0, receive: 0)
      try socket.connect(endpoint)
    } catch {
      throw Failure(.usage, "\(error)")
    }
    _ = polled.add(socket)
  }

  /// Adds the connection to those that are waited for together.
  func add(to set: inout PollSet) -> Int { set.add(socket) }

  @inline(__always)
  func send(_ bytes: UnsafeRawBufferPointer) throws(Failure) {
    guard socket.send(bytes) == .sent else { throw Failure(.refused, "a request cannot be sent") }
  }

  func send(_ request: JSON) throws(Failure) {
    guard socket.send(request.bytes) == .sent else {
      throw Failure(.refused, "a request cannot be sent")
    }
  }

  /// The message received last, valid until the next receive.
  @inline(__always)
  var message: UnsafeRawBufferPointer { frame.bytes }

  /// Receives one message; false where none is there.
  @inline(__always)
  func receive() -> Bool { socket.receive(into: frame) }

  /// Sleeps until there is a message.
  func wait(patience milliseconds: Int = patienceMilliseconds) throws(Failure) {
    let deadline = MonotonicTime.milliseconds + milliseconds
    while true {
      polled.wait(milliseconds: 1000)
      if polled.isReadable(0) { return }
      guard MonotonicTime.milliseconds < deadline else {
        throw Failure(
          .noService, "no answer for \(milliseconds / 1000) s; is a service running there?")
      }
    }
  }

  /// Receives one message, waiting for it.
  func receiveNext(patience milliseconds: Int = patienceMilliseconds) throws(Failure) {
    while !receive() { try wait(patience: milliseconds) }
  }

  /// The answer to one request, with nothing else under way; a refusal is a failure.
  func answer(
    to request: JSON, patience milliseconds: Int = patienceMilliseconds
  ) throws(Failure) -> JSON {
    try send(request)
    try receiveNext(patience: milliseconds)
    return try accepted()
  }

  /// The message received last, if it says that it worked.
  func accepted() throws(Failure) -> JSON {
    guard let answer = try? JSON(parsing: message) else {
      throw Failure(.refused, "an answer is not JSON")
    }
    guard answer["ok"]?.bool == true else { throw Failure(.refused, "refused: \(answer.text)") }
    return answer
  }

  /// The service's `status`.
  func status() throws(Failure) -> JSON { try answer(to: ["op": "status", "id": "status"]) }

  /// Waits until the views have come as far as the log, so that this work does not run beside what
  /// is measured next.
  func waitForViews() throws(Failure) {
    var last = -1
    var deadline = 0
    while true {
      let status = try status()
      let head = status["head"]?.integer ?? 0
      let positions = (status["views"]?.array ?? []).map { $0["position"]?.integer ?? 0 }
      let slowest = positions.min() ?? head
      if slowest >= head { return }
      if slowest > last {
        last = slowest
        deadline = MonotonicTime.milliseconds + Self.patienceMilliseconds
      }
      guard MonotonicTime.milliseconds < deadline else {
        throw Failure(.refused, "a view stands still at position \(slowest), the log at \(head)")
      }
      polled.wait(milliseconds: 20)
    }
  }
}
