internal import ActorRuntime
internal import Glibc

/// Standard output, gathered into large writes, and messages on standard error.
enum Output {
  private static let pending = Lock<[UInt8]>([])
  private static let flushThreshold = 1 << 16

  static let isTerminal = isatty(STDOUT_FILENO) == 1
  static let errorIsTerminal = isatty(STDERR_FILENO) == 1

  /// Whether to use colours.
  static let hasColor = isTerminal && getenv("NO_COLOR") == nil

  static func print(_ line: String) { print(Array(line.utf8)) }

  /// Adds a line. What is gathered leaves when it is much, and on ``flush()``.
  static func print(_ line: [UInt8]) {
    let isFull = pending.withLock { pending in
      pending += line
      pending.append(UInt8(ascii: "\n"))
      return pending.count >= flushThreshold
    }
    if isFull { flush() }
  }

  /// Writes out what is gathered. Ends the process quietly where nobody reads any more.
  static func flush() {
    let bytes = pending.withLock { pending in
      defer { pending.removeAll(keepingCapacity: true) }
      return pending
    }
    var written = 0
    while written < bytes.count {
      let count = bytes.withUnsafeBytes {
        write(STDOUT_FILENO, $0.baseAddress! + written, $0.count - written)
      }
      if count > 0 {
        written += count
      } else if errno != EINTR {
        if errno == EPIPE { _exit(ExitStatus.done.rawValue) }
        complain("cannot write the output: \(String(cString: strerror(errno)))")
        _exit(ExitStatus.refused.rawValue)
      }
    }
  }

  /// A message for people.
  static func complain(_ message: String) { writeError("swipestream: \(message)\n") }

  static func note(_ message: String) { writeError(message + "\n") }

  /// A line that the next one overwrites; only on a terminal.
  static func progress(_ message: String) {
    if errorIsTerminal { writeError("\r\u{1B}[K\(message)") }
  }

  static func endProgress() { if errorIsTerminal { writeError("\r\u{1B}[K") } }

  private static func writeError(_ text: String) {
    var text = text
    text.withUTF8 { _ = write(STDERR_FILENO, $0.baseAddress, $0.count) }
  }
}
