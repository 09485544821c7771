internal import Digests
internal import EventSourcing

/// The batch that is being put together, in one buffer that is used again and again.
struct DiskBatch: ~Copyable {
  /// What a batch takes besides its records.
  static let overhead = BatchHeader.size + BatchTrailer.size
  /// A buffer that grew beyond this, for one large append, is given back.
  private static let keptBytes = 2 * EventLogConfiguration.diskBatchBytes

  private var buffer = UnsafeMutableRawBufferPointer.allocate(
    byteCount: EventLogConfiguration.diskBatchBytes, alignment: 8)
  private var first: UInt64 = 0
  private var records = 0
  private var chain: UInt32 = 0
  /// What the batch takes so far, its trailer not counted.
  private(set) var count = BatchHeader.size

  deinit { buffer.deallocate() }

  var isEmpty: Bool { records == 0 }

  /// Room for a record of `length` bytes at the end of the batch.
  private mutating func room(_ length: Int) -> UnsafeMutableRawBufferPointer {
    if count + length + BatchTrailer.size > buffer.count { grow(by: length) }
    return UnsafeMutableRawBufferPointer(rebasing: buffer[count..<count + length])
  }

  private mutating func grow(by length: Int) {
    let needed = count + length + BatchTrailer.size
    let larger = UnsafeMutableRawBufferPointer.allocate(
      byteCount: max(needed, buffer.count * 2), alignment: 8)
    larger.copyMemory(from: UnsafeRawBufferPointer(rebasing: buffer[..<count]))
    buffer.deallocate()
    buffer = larger
  }

  /// Adds a record behind the others.
  @inline(__always)
  mutating func add(
    _ fields: RecordFrame.Fields, stream: UnsafeRawBufferPointer, type: UnsafeRawBufferPointer,
    data: UnsafeRawBufferPointer, meta: UnsafeRawBufferPointer
  ) {
    let length = RecordFrame.length(
      stream: stream.count, type: type.count, data: data.count, meta: meta.count)
    if records == 0 { first = fields.position }
    var sealed = RecordFrame.write(
      fields, stream: stream, type: type, data: data, meta: meta, to: room(length)
    ).littleEndian
    chain = withUnsafeBytes(of: &sealed) { CRC32C.checksum($0, seed: chain) }
    count += length
    records += 1
  }

  /// Adds a record that was written before, its checksums set right.
  ///
  /// - Parameter time: takes the place of the record's.
  mutating func add(_ record: RecordFrame, _ bytes: UnsafeRawBufferPointer, time: Int64) {
    let out = room(bytes.count)
    out.put(bytes, at: 0)
    if time != record.time { out.put(time, at: RecordFrame.timeOffset) }
    RecordFrame.reseal(out, isErased: record.isErased)
    if records == 0 { first = record.position }
    chain = CRC32C.checksum(
      UnsafeRawBufferPointer(out).part(RecordFrame.sealedRange), seed: chain)
    count += bytes.count
    records += 1
  }

  /// Closes the batch and gives its bytes, valid until it is used again.
  ///
  /// - Parameter durable: the log's durable head.
  mutating func finish(durable: UInt64) -> UnsafeRawBufferPointer {
    let length = count + BatchTrailer.size
    let batch = UnsafeMutableRawBufferPointer(rebasing: buffer[..<length])
    BatchHeader(
      length: UInt32(length), first: first, durable: durable, count: UInt32(records)
    ).write(to: batch)
    BatchTrailer.write(chain: chain, length: UInt32(length), to: batch)
    return UnsafeRawBufferPointer(batch)
  }

  mutating func removeAll() {
    records = 0
    chain = 0
    count = BatchHeader.size
    if buffer.count > Self.keptBytes {
      buffer.deallocate()
      buffer = .allocate(byteCount: EventLogConfiguration.diskBatchBytes, alignment: 8)
    }
  }
}
