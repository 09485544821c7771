/// A file read from front to back in large pieces.
final class FileWindow {
  private static let pieceSize = 1 << 20

  let file: any LogFile
  let size: Int
  private var buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 0, alignment: 8)
  private var start = 0
  private var count = 0
  private let onRead: ReadObserver?

  /// Told how many bytes were read; may wait, or throw to end it all.
  typealias ReadObserver = @Sendable (Int) throws(StorageError) -> Void

  /// - Parameters:
  ///   - size: where the file ends, or where to stop.
  ///   - onRead: called after each piece.
  init(_ file: any LogFile, size: Int, onRead: ReadObserver? = nil) {
    self.file = file
    self.size = size
    self.onRead = onRead
  }

  deinit { buffer.deallocate() }

  /// The bytes `range` as far as the file goes; valid until the next call.
  func bytes(_ range: Range<Int>) throws(StorageError) -> UnsafeRawBufferPointer {
    let range = min(range.lowerBound, size)..<min(range.upperBound, size)
    if range.lowerBound < start || range.upperBound > start + count { try load(range) }
    let offset = range.lowerBound - start
    let length = min(range.count, count - offset)
    return UnsafeRawBufferPointer(rebasing: buffer[offset..<offset + length])
  }

  private func load(_ range: Range<Int>) throws(StorageError) {
    let wanted = min(max(range.count, Self.pieceSize), size - range.lowerBound)
    if buffer.count < wanted {
      buffer.deallocate()
      buffer = .allocate(byteCount: wanted, alignment: 8)
    }
    start = range.lowerBound
    count = 0
    count = try file.read(
      into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<wanted]), at: start)
    try onRead?(count)
  }

  /// Reads from the file again what is asked for next.
  func forget() { count = 0 }

  /// Whether all bytes from `start` to `end`, as far as the file goes, are zero.
  func isZero(from start: Int, to end: Int) throws(StorageError) -> Bool {
    var offset = start
    let end = min(end, size)
    while offset < end {
      let piece = try bytes(offset..<min(offset + Self.pieceSize, end))
      if piece.isEmpty { return true }
      if !piece.isZero { return false }
      offset += piece.count
    }
    return true
  }
}
