internal import ActorRuntime
internal import Glibc
internal import Synchronization

/// SIGINT and SIGTERM as something to wait for.
struct Signals: Sendable {
  /// Where the handler writes to: all that it may do is async-signal-safe.
  private static let pipeEnd = Atomic<Int32>(-1)

  private let stream: AsyncStream<Int32>

  /// Takes both signals over, for the whole process.
  ///
  /// By a handler, not by blocking them: a mask is one thread's own, and Swift's pool has threads
  /// before any code of ours runs.
  ///
  /// - Throws: where the process is out of descriptors.
  init() throws(Failure) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else {
      throw Failure(.refused, "cannot make a pipe: \(String(cString: strerror(errno)))")
    }
    Self.pipeEnd.store(ends[1], ordering: .sequentiallyConsistent)
    for number in [SIGINT, SIGTERM] {
      signal(number) { number in
        let error = errno
        var byte = UInt8(truncatingIfNeeded: number)
        _ = write(Signals.pipeEnd.load(ordering: .relaxed), &byte, 1)
        errno = error
      }
    }
    let (stream, continuation) = AsyncStream.makeStream(of: Int32.self)
    self.stream = stream
    let readEnd = ends[0]
    _ = NamedThread("signals") {
      var byte: UInt8 = 0
      while true {
        if read(readEnd, &byte, 1) == 1 { continuation.yield(Int32(byte)) }
      }
    }
  }

  func next() async -> Int32? {
    var iterator = stream.makeAsyncIterator()
    return await iterator.next()
  }
}
