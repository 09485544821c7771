internal import CZeroMQ

/// An owned ZeroMQ socket. It belongs to one thread at a time and never blocks: what cannot be
/// done at once is said so.
public final class Socket {
  public enum Kind: Sendable { case router, dealer, xpublish, pair }

  /// How a send ended.
  public enum SendResult: Sendable, Equatable {
    case sent
    /// The peer's queue is full.
    case full
    /// There is no such peer (any more).
    case unroutable
  }

  let handle: UnsafeMutableRawPointer
  // Keeps the context until the socket is closed.
  private let context: Context

  public init(_ kind: Kind, in context: Context) throws(ZeroMQError) {
    guard let handle = zmq_socket(context.handle, kind.number) else {
      throw .last("zmq_socket")
    }
    self.handle = handle
    self.context = context
    try set(ZMQ_LINGER, 0)
  }

  deinit { zmq_close(handle) }

  public func bind(_ endpoint: String) throws(ZeroMQError) {
    try allowIPv6(for: endpoint)
    guard zmq_bind(handle, endpoint) == 0 else { throw .last("zmq_bind", endpoint) }
  }

  public func connect(_ endpoint: String) throws(ZeroMQError) {
    try allowIPv6(for: endpoint)
    guard zmq_connect(handle, endpoint) == 0 else { throw .last("zmq_connect", endpoint) }
  }

  /// Only where it is asked for: with it, libzmq writes IPv4 addresses in their mapped form.
  private func allowIPv6(for endpoint: String) throws(ZeroMQError) {
    if endpoint.utf8.contains(UInt8(ascii: "[")) { try set(ZMQ_IPV6, 1) }
  }

  /// Where the socket was bound last, with the port that was picked for a wildcard.
  public var lastEndpoint: String {
    var length = 256
    return withUnsafeTemporaryAllocation(of: CChar.self, capacity: length) { buffer in
      guard zmq_getsockopt(handle, ZMQ_LAST_ENDPOINT, buffer.baseAddress, &length) == 0,
        let start = buffer.baseAddress
      else { return "" }
      return String(cString: start)
    }
  }

  // MARK: Frames

  /// Sends one frame of a message.
  ///
  /// - Parameter hasMore: whether more frames of the same message follow.
  @inline(__always)
  public func send(_ bytes: UnsafeRawBufferPointer, hasMore: Bool = false) -> SendResult {
    let flags = ZMQ_DONTWAIT | (hasMore ? ZMQ_SNDMORE : 0)
    if zmq_send(handle, bytes.baseAddress, bytes.count, flags) >= 0 { return .sent }
    return zmq_errno() == EHOSTUNREACH ? .unroutable : .full
  }

  /// Sends one frame of a message.
  public func send(_ bytes: [UInt8], hasMore: Bool = false) -> SendResult {
    bytes.withUnsafeBytes { send($0, hasMore: hasMore) }
  }

  /// Receives one frame into `frame`; false where none is there.
  @inline(__always)
  public func receive(into frame: Frame) -> Bool {
    zmq_msg_recv(frame.message, handle, ZMQ_DONTWAIT) >= 0
  }

  /// Receives one whole message, nil where none is there.
  public func receiveMessage() -> [[UInt8]]? {
    let frame = Frame()
    guard receive(into: frame) else { return nil }
    var frames = [Array(frame.bytes)]
    while frame.hasMore, receive(into: frame) { frames.append(Array(frame.bytes)) }
    return frames
  }

  // MARK: Options

  func set(_ option: Int32, _ value: Int32) throws(ZeroMQError) {
    var value = value
    guard zmq_setsockopt(handle, option, &value, MemoryLayout<Int32>.size) == 0 else {
      throw .last("zmq_setsockopt", String(option))
    }
  }

  /// Frames beyond this many bytes end their sender's connection.
  public func setFrameSizeLimit(_ bytes: Int) throws(ZeroMQError) {
    var value = Int64(bytes)
    guard zmq_setsockopt(handle, ZMQ_MAXMSGSIZE, &value, MemoryLayout<Int64>.size) == 0 else {
      throw .last("zmq_setsockopt", "ZMQ_MAXMSGSIZE")
    }
  }

  /// How many messages may wait for, and from, one peer; 0 is without limit.
  public func setQueueLimits(send: Int, receive: Int) throws(ZeroMQError) {
    try set(ZMQ_SNDHWM, Int32(send))
    try set(ZMQ_RCVHWM, Int32(receive))
  }

  /// A send to a peer that is gone, or whose queue is full, says so instead of dropping silently.
  public func setMandatoryRouting() throws(ZeroMQError) { try set(ZMQ_ROUTER_MANDATORY, 1) }

  /// A peer that does not finish its handshake in this time is let go.
  public func setHandshakeLimit(milliseconds: Int) throws(ZeroMQError) {
    try set(ZMQ_HANDSHAKE_IVL, Int32(milliseconds))
  }

  /// Pings silent peers, and lets those go that do not answer.
  public func setHeartbeat(everyMilliseconds: Int, limitMilliseconds: Int) throws(ZeroMQError) {
    try set(ZMQ_HEARTBEAT_IVL, Int32(everyMilliseconds))
    try set(ZMQ_HEARTBEAT_TIMEOUT, Int32(limitMilliseconds))
  }

  /// How many connections may wait to be accepted.
  public func setBacklog(_ count: Int) throws(ZeroMQError) { try set(ZMQ_BACKLOG, Int32(count)) }

  /// How long what was sent may still leave after the socket is closed; 0 by default.
  public func setLinger(milliseconds: Int) throws(ZeroMQError) {
    try set(ZMQ_LINGER, Int32(milliseconds))
  }
}

extension Socket.Kind {
  fileprivate var number: Int32 {
    switch self {
    case .router: ZMQ_ROUTER
    case .dealer: ZMQ_DEALER
    case .xpublish: ZMQ_XPUB
    case .pair: ZMQ_PAIR
    }
  }
}
