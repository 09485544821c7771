internal import CZeroMQ

/// A ZeroMQ context: the input/output threads that its sockets share.
///
/// `@unchecked Sendable`: libzmq contexts are thread-safe by its documentation (zmq_ctx_new), and
/// `handle` never changes.
public final class Context: @unchecked Sendable {
  let handle: UnsafeMutableRawPointer

  /// - Parameter maxSockets: how many sockets may be open at once.
  public init(ioThreads: Int = 1, maxSockets: Int = 1023) {
    guard let handle = zmq_ctx_new() else { fatalError("no memory for a ZeroMQ context") }
    self.handle = handle
    zmq_ctx_set(handle, ZMQ_IO_THREADS, Int32(ioThreads))
    zmq_ctx_set(handle, ZMQ_MAX_SOCKETS, Int32(maxSockets))
    // A message that a socket still holds must not keep the process from ending.
    zmq_ctx_set(handle, ZMQ_BLOCKY, 0)
  }

  // Every socket holds its context, so none is open any more and the call does not wait.
  deinit { zmq_ctx_term(handle) }

  /// libzmq's version, for example `4.3.4`.
  public static var libraryVersion: String {
    var major: Int32 = 0
    var minor: Int32 = 0
    var patch: Int32 = 0
    zmq_version(&major, &minor, &patch)
    return "\(major).\(minor).\(patch)"
  }
}
