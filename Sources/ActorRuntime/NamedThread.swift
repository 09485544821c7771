internal import CThreads
internal import Glibc

/// A POSIX thread with a name that debuggers and `top -H` show.
public struct NamedThread: Sendable {
  private let handle: pthread_t

  /// Starts `body` on a thread of its own.
  ///
  /// - Parameter name: at most 15 bytes are kept.
  public init(_ name: String, _ body: @escaping @Sendable () -> Void) {
    let start = Unmanaged.passRetained(ThreadStart(name: name, body: body))
    var handle = pthread_t()
    let code = pthread_create(
      &handle, nil,
      { argument in
        guard let argument else { return nil }
        let start = Unmanaged<ThreadStart>.fromOpaque(argument).takeRetainedValue()
        _ = swipestream_thread_set_name(String(decoding: start.name.utf8.prefix(15), as: UTF8.self))
        start.body()
        return nil
      }, start.toOpaque())
    precondition(code == 0, "cannot start a thread: \(String(cString: strerror(code)))")
    self.handle = handle
  }

  /// Waits for the thread to end.
  ///
  /// - Precondition: not called from the thread itself, and once only.
  public func join() {
    precondition(pthread_equal(pthread_self(), handle) == 0, "a thread cannot join itself")
    pthread_join(handle, nil)
  }
}

private final class ThreadStart: Sendable {
  let name: String
  let body: @Sendable () -> Void

  init(name: String, body: @escaping @Sendable () -> Void) {
    self.name = name
    self.body = body
  }
}

/// Which thread runs, as a number that can be compared.
enum ThreadIdentity {
  static var current: UInt { UInt(pthread_self()) }
}
