internal import Glibc

/// Reads a file, or standard input, line by line.
struct LineReader {
  /// A line is cut here, so that an input without line ends does not fill the memory.
  static let lineLimit = 4 << 20
  private static let chunkBytes = 1 << 16

  private let descriptor: Int32
  private let path: String
  private var buffer: ArraySlice<UInt8> = []
  private var isAtEnd = false

  /// - Parameter path: `-` is standard input.
  init(path: String) throws(Failure) {
    self.path = path
    descriptor = path == "-" ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw Self.failure(path) }
  }

  private static func failure(_ path: String) -> Failure {
    Failure(.refused, "cannot read \(path): \(String(cString: strerror(errno)))")
  }

  /// The next line without its end, nil behind the last; a line beyond the limit is cut to it.
  mutating func next() throws(Failure) -> [UInt8]? {
    var line: [UInt8] = []
    while true {
      if let end = buffer.firstIndex(of: UInt8(ascii: "\n")) {
        Self.add(buffer[..<end], to: &line)
        buffer = buffer[(end + 1)...]
        break
      }
      Self.add(buffer, to: &line)
      buffer = []
      if isAtEnd {
        if line.isEmpty { return nil }
        break
      }
      try fill()
    }
    if line.last == UInt8(ascii: "\r") { line.removeLast() }
    return line
  }

  private static func add(_ bytes: ArraySlice<UInt8>, to line: inout [UInt8]) {
    line += bytes.prefix(max(0, lineLimit - line.count))
  }

  private mutating func fill() throws(Failure) {
    var chunk = [UInt8](repeating: 0, count: Self.chunkBytes)
    var count = 0
    repeat {
      count = chunk.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
    } while count < 0 && errno == EINTR
    guard count >= 0 else { throw Self.failure(path) }
    isAtEnd = count == 0
    buffer = chunk[..<count]
  }
}
