internal import CZeroMQ

/// A received frame, used again for one receive after another.
public final class Frame {
  let message: UnsafeMutablePointer<zmq_msg_t>

  public init() {
    message = .allocate(capacity: 1)
    zmq_msg_init(message)
  }

  deinit {
    zmq_msg_close(message)
    message.deallocate()
  }

  /// The frame's contents, valid until the next receive into it.
  @inline(__always)
  public var bytes: UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: zmq_msg_data(message), count: zmq_msg_size(message))
  }

  /// Whether more frames of the same message follow.
  @inline(__always)
  public var hasMore: Bool { zmq_msg_more(message) != 0 }
}
