internal import ActorRuntime
internal import Glibc

/// SIGINT and SIGTERM as something to wait for.
struct Signals: Sendable {
  private let stream: AsyncStream<Int32>

  /// Blocks both signals in this thread and all that it starts later, so it comes before any other
  /// thread.
  init() {
    var set = sigset_t()
    sigemptyset(&set)
    sigaddset(&set, SIGINT)
    sigaddset(&set, SIGTERM)
    pthread_sigmask(SIG_BLOCK, &set, nil)
    let (stream, continuation) = AsyncStream.makeStream(of: Int32.self)
    self.stream = stream
    _ = NamedThread("signals") { [set] in
      var set = set
      while true {
        var signal: Int32 = 0
        if sigwait(&set, &signal) == 0 { continuation.yield(signal) }
      }
    }
  }

  func next() async -> Int32? {
    var iterator = stream.makeAsyncIterator()
    return await iterator.next()
  }
}
