internal import CZeroMQ

/// Counts a socket's connections, handshaken or not, and can keep further ones out of a bound one.
///
/// libzmq has no limit of its own, and once a process is out of descriptors its accept fails over
/// and over at full speed; so the owner counts, and pauses the listening in time.
public final class ConnectionMonitor {
  private let events: Socket
  private var listeners: [Int32] = []
  public private(set) var connections = 0
  /// Connections that ended, accepted or made.
  public private(set) var disconnections = 0
  public private(set) var isPaused = false

  /// Begins to watch; only what is bound after this is known.
  ///
  /// - Parameter name: unique among the context's monitors.
  public init(of socket: Socket, in context: Context, name: String) throws(ZeroMQError) {
    let endpoint = "inproc://monitor-\(name)"
    let wanted = ZMQ_EVENT_LISTENING | ZMQ_EVENT_ACCEPTED | ZMQ_EVENT_DISCONNECTED
    guard zmq_socket_monitor(socket.handle, endpoint, wanted) == 0 else {
      throw .last("zmq_socket_monitor")
    }
    events = try Socket(.pair, in: context)
    try events.setQueueLimits(send: 0, receive: 0)
    try events.connect(endpoint)
  }

  public func add(to set: inout PollSet) -> Int { set.add(events) }
  public func add(to set: inout DescriptorSet) -> Int { set.add(events) }

  /// Takes in what has happened since the last call.
  public func update() {
    while let frames = events.receiveMessage() {
      guard let first = frames.first, first.count >= 6 else { continue }
      let value = (2..<6).reduce(Int32(0)) { $0 | Int32(first[$1]) << (8 * Int32($1 - 2)) }
      switch Int32(first[0]) | Int32(first[1]) << 8 {
      case ZMQ_EVENT_LISTENING: listeners.append(value)
      case ZMQ_EVENT_ACCEPTED: connections += 1
      case ZMQ_EVENT_DISCONNECTED:
        connections = max(0, connections - 1)
        disconnections += 1
      default: break
      }
    }
  }

  /// Lets no further TCP connection in; those that exist go on. Nothing to `ipc` endpoints.
  public func pause() {
    guard !isPaused else { return }
    isPaused = true
    for listener in listeners { _ = swipestream_pause_listening(listener) }
  }

  public func resume() {
    guard isPaused else { return }
    isPaused = false
    for listener in listeners { _ = swipestream_resume_listening(listener) }
  }
}
