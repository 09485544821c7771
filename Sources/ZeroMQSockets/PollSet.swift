internal import CZeroMQ

/// Sockets and descriptors that are waited for together.
public struct PollSet {
  private var items: [zmq_pollitem_t] = []

  public init() {}

  /// A set with nothing but what ends the wait, for when the sockets are closed.
  public init(waking descriptor: Int32) { _ = add(descriptor: descriptor) }

  /// Adds a socket, to be waited for until it can be read.
  ///
  /// - Returns: its index for ``isReadable(_:)``.
  public mutating func add(_ socket: Socket) -> Int {
    items.append(
      zmq_pollitem_t(socket: socket.handle, fd: 0, events: Int16(ZMQ_POLLIN), revents: 0))
    return items.count - 1
  }

  /// Adds a file descriptor, to be waited for until it can be read.
  public mutating func add(descriptor: Int32) -> Int {
    items.append(zmq_pollitem_t(socket: nil, fd: descriptor, events: Int16(ZMQ_POLLIN), revents: 0))
    return items.count - 1
  }

  /// Waits at most `milliseconds` (0 not at all, −1 without limit).
  public mutating func wait(milliseconds: Int) {
    items.withUnsafeMutableBufferPointer { buffer in
      _ = zmq_poll(buffer.baseAddress, Int32(buffer.count), milliseconds)
    }
  }

  public func isReadable(_ index: Int) -> Bool { items[index].revents & Int16(ZMQ_POLLIN) != 0 }
}
