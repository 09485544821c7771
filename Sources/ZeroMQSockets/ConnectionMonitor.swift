internal import CZeroMQ

/// Counts a bound socket's connections, handshaken or not.
///
/// libzmq has no limit of its own, and once a process is out of descriptors its accept fails over
/// and over at full speed; so the owner counts and stops listening in time.
public final class ConnectionMonitor {
  private let events: Socket
  public private(set) var connections = 0

  /// - Parameter name: unique among the context's monitors.
  public init(of socket: Socket, in context: Context, name: String) throws(ZeroMQError) {
    let endpoint = "inproc://monitor-\(name)"
    let wanted = ZMQ_EVENT_ACCEPTED | ZMQ_EVENT_DISCONNECTED | ZMQ_EVENT_CLOSED
    guard zmq_socket_monitor(socket.handle, endpoint, wanted) == 0 else {
      throw .last("zmq_socket_monitor")
    }
    events = try Socket(.pair, in: context)
    try events.setQueueLimits(send: 0, receive: 0)
    try events.connect(endpoint)
  }

  public func add(to set: inout PollSet) -> Int { set.add(events) }

  /// Takes in what has happened since the last call.
  public func update() {
    while let frames = events.receiveMessage() {
      guard let first = frames.first, first.count >= 2 else { continue }
      switch Int32(first[0]) | Int32(first[1]) << 8 {
      case ZMQ_EVENT_ACCEPTED: connections += 1
      case ZMQ_EVENT_DISCONNECTED: connections = max(0, connections - 1)
      default: break
      }
    }
  }
}
