/// A file read from front to back in large pieces.
final class FileWindow {
  private static let pieceSize = 1 << 20

  let file: any LogFile
  let size: Int
  private var buffer: UnsafeMutableRawBufferPointer
  private let buffers: WindowBuffers?
  private var start = 0
  private var count = 0
  private let onRead: ReadObserver?

  /// Told how many bytes were read; may wait, or throw to end it all.
  typealias ReadObserver = @Sendable (Int) throws(StorageError) -> Void

  /// - Parameters:
  ///   - size: where the file ends, or where to stop.
  ///   - buffers: where to have memory from, and to give it back to.
  ///   - onRead: called after each piece.
  init(
    _ file: any LogFile, size: Int, buffers: WindowBuffers? = nil, onRead: ReadObserver? = nil
  ) {
    self.file = file
    self.size = size
    self.buffers = buffers
    buffer = buffers?.take() ?? .allocate(byteCount: 0, alignment: 8)
    self.onRead = onRead
  }

  deinit {
    if let buffers { buffers.giveBack(buffer) } else { buffer.deallocate() }
  }

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
    let kept = keepFront(of: range.lowerBound, room: wanted)
    count = kept
    let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[kept..<wanted])
    let read = try file.read(into: rest, at: start + kept)
    count += read
    try onRead?(read)
  }

  /// Begins the window at `offset`, with what it has from there on: a batch's header is often read
  /// before all of the batch.
  ///
  /// - Returns: how many bytes it has already.
  private func keepFront(of offset: Int, room: Int) -> Int {
    let known = start..<start + count
    let kept = known.contains(offset) ? known.upperBound - offset : 0
    let source = UnsafeRawBufferPointer(
      rebasing: buffer[(kept == 0 ? 0 : offset - start)...].prefix(kept))
    if buffer.count < room {
      // Batches of a busy log differ in length: a little more now saves the next growth.
      let larger = UnsafeMutableRawBufferPointer.allocate(
        byteCount: room + room / 2, alignment: 8)
      larger.copyMemory(from: source)
      buffer.deallocate()
      buffer = larger
    } else if offset != start {
      UnsafeMutableRawBufferPointer(buffer).copyMemory(from: source)
    }
    start = offset
    return kept
  }

  /// Reads from the file again what is asked for next.
  func forget() { count = 0 }

  /// Whether all bytes from `start` to `end`, as far as the file goes, are zero.
  func isZero(from start: Int, to end: Int) throws(StorageError) -> Bool {
    var offset = start
    let end = min(end, size)
    while offset < end {
      if offset >= self.start + count {
        // Reserved room that was never written need not be read to be known.
        offset = min(try file.nextData(from: offset), end)
        if offset == end { return true }
      }
      let piece = try bytes(offset..<min(offset + Self.pieceSize, end))
      if piece.isEmpty { return true }
      if !piece.isZero { return false }
      offset += piece.count
    }
    return true
  }
}
