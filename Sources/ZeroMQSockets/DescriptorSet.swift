internal import CZeroMQ
internal import Glibc

/// Descriptors that are waited for together, sockets by the one that libzmq signals their news with.
///
/// One system call a wait, where a ``PollSet`` takes several for each socket. The price is a rule: the
/// signal is for news since the socket was last asked. So before a wait each socket must have been
/// read until it had nothing, and nothing may have been sent with it since: a send takes the signal
/// in, too.
public struct DescriptorSet {
  private var items: [pollfd] = []

  public init() {}

  /// Adds a socket.
  ///
  /// - Returns: its index for ``isReadable(_:)``.
  public mutating func add(_ socket: Socket) -> Int { add(descriptor: socket.signalDescriptor) }

  /// Adds a file descriptor.
  public mutating func add(descriptor: Int32) -> Int {
    items.append(pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0))
    return items.count - 1
  }

  /// Waits at most `milliseconds` (0 not at all, −1 without limit).
  public mutating func wait(milliseconds: Int) {
    items.withUnsafeMutableBufferPointer { items in
      if poll(items.baseAddress, nfds_t(items.count), Int32(milliseconds)) < 0 {
        // Interrupted by a signal: as if the time were up.
        for index in items.indices { items[index].revents = 0 }
      }
    }
  }

  /// Whether the last wait found something there.
  public func isReadable(_ index: Int) -> Bool { items[index].revents & Int16(POLLIN) != 0 }
}

extension Socket {
  /// Readable when something may have happened to the socket since it was last asked.
  fileprivate var signalDescriptor: Int32 {
    var descriptor: Int32 = -1
    var length = MemoryLayout<Int32>.size
    let code = zmq_getsockopt(handle, ZMQ_FD, &descriptor, &length)
    precondition(code == 0, "a socket has a descriptor")
    return descriptor
  }
}
