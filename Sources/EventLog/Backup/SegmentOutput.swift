/// A segment's copy in the making: gathers small batches into large writes.
struct SegmentOutput {
  private static let flushBytes = 1 << 20

  private let file: any LogFile
  private var offset: Int
  private var buffer: [UInt8] = []
  /// How many bytes were written.
  private(set) var written = 0

  /// - Parameter offset: where to go on.
  init(_ file: any LogFile, at offset: Int = 0) {
    self.file = file
    self.offset = offset
  }

  mutating func append(_ header: SegmentHeader) throws(StorageError) {
    try header.encoded().withRawBytes { (bytes) throws(StorageError) in try append(bytes) }
  }

  mutating func append(_ bytes: UnsafeRawBufferPointer) throws(StorageError) {
    buffer.append(contentsOf: bytes)
    if buffer.count >= Self.flushBytes { try flush() }
  }

  private mutating func flush() throws(StorageError) {
    try buffer.withRawBytes { (bytes) throws(StorageError) in try file.write(bytes, at: offset) }
    offset += buffer.count
    written += buffer.count
    buffer.removeAll(keepingCapacity: true)
  }

  /// Ends the file here, and makes it durable.
  mutating func finish() throws(StorageError) {
    try flush()
    try file.truncate(to: offset)
    try file.sync()
  }
}
