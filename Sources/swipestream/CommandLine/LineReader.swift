internal import Glibc

/// Reads a file, or standard input, line by line.
final class LineReader {
  private let file: UnsafeMutablePointer<FILE>
  private let isOwned: Bool
  private var buffer: UnsafeMutablePointer<CChar>?
  private var capacity = 0

  /// - Parameter path: `-` is standard input.
  init(path: String) throws(Failure) {
    isOwned = path != "-"
    guard let file = isOwned ? fopen(path, "r") : fdopen(STDIN_FILENO, "r") else {
      throw Failure(.refused, "cannot read \(path): \(String(cString: strerror(errno)))")
    }
    self.file = file
  }

  deinit {
    free(buffer)
    if isOwned { fclose(file) }
  }

  /// The next line without its end, nil behind the last.
  func next() -> [UInt8]? {
    let count = getline(&buffer, &capacity, file)
    guard count >= 0, let buffer else { return nil }
    var line = UnsafeRawBufferPointer(start: buffer, count: count)[...]
    if line.last == UInt8(ascii: "\n") { line = line.dropLast() }
    if line.last == UInt8(ascii: "\r") { line = line.dropLast() }
    return Array(line)
  }
}
