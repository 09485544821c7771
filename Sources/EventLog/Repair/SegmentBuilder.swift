internal import Digests
internal import EventSourcing

/// Writes a segment anew from records that were kept and marks for those that were lost.
final class SegmentBuilder {
  private let file: any LogFile
  private var hasher: SHA256Hasher
  private var batch = DiskBatch()
  private var durable: UInt64
  private(set) var end = SegmentHeader.size
  private(set) var next: UInt64
  private(set) var lastTime: Int64

  init(_ file: any LogFile, header: SegmentHeader) throws(StorageError) {
    self.file = file
    hasher = header.chainHasher
    durable = header.first - 1
    next = header.first
    lastTime = header.previousTime
    try header.encoded().withRawBytes { (bytes) throws(StorageError) in
      try file.write(bytes, at: 0)
    }
  }

  var digest: SHA256Digest { hasher.digest() }

  /// Adds a record as it is, its two checksums and the order of times set right.
  func add(_ record: RecordFrame, _ bytes: UnsafeRawBufferPointer) throws(StorageError) {
    lastTime = max(record.time, lastTime)
    batch.add(record, bytes, time: lastTime)
    try advance()
  }

  /// The segment's size if it ended here.
  var size: Int { end + batch.count + BatchTrailer.size }

  /// What a `log.lost` event consists of: stream, type, `data` and `meta`.
  static func parts(of lost: LostRecords.Name, reason: String) -> [[UInt8]] {
    [
      Array(lost.stream.description.utf8), Array(LostRecords.type.description.utf8),
      LostRecords.data(reason: reason), Array("{}".utf8),
    ]
  }

  /// Adds a `log.lost` event in the place of one that cannot be read.
  ///
  /// - Parameter parts: see ``parts(of:reason:)``.
  func add(_ lost: LostRecords.Name, _ parts: [[UInt8]]) throws(StorageError) {
    // Before the first event there is no time; the log's is then as old as time gets.
    lastTime = max(lastTime, 0)
    let fields = RecordFrame.Fields(
      position: next, revision: lost.revision, time: lastTime, command: 0, schema: 1)
    let bytes = parts.flatMap(\.self)
    bytes.withRawBytes { bytes in
      var rest = bytes
      let slices = parts.map { part in
        let slice = rest.part(0..<part.count)
        rest = rest.part(part.count..<rest.count)
        return slice
      }
      batch.add(fields, stream: slices[0], type: slices[1], data: slices[2], meta: slices[3])
    }
    try advance()
  }

  private func advance() throws(StorageError) {
    next += 1
    if batch.count >= EventLogConfiguration.diskBatchBytes { try finishBatch() }
  }

  /// Writes out what is gathered.
  func finishBatch() throws(StorageError) {
    if batch.isEmpty { return }
    defer { batch.removeAll() }
    let bytes = batch.finish(durable: durable)
    try file.write(bytes, at: end)
    hasher.update(bytes.part(0..<BatchHeader.size))
    hasher.update(bytes.part(bytes.count - BatchTrailer.size..<bytes.count))
    end += bytes.count
    durable = next - 1
  }
}
