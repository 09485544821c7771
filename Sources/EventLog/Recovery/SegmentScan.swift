internal import Digests
internal import EventSourcing

/// A segment's batches, read and checked one after the other.
struct SegmentScan {
  /// Why there is no further batch.
  enum Stop: Equatable {
    /// The file ends where a batch would begin.
    case fileEnd
    /// The rest of the segment is zero, as reserved.
    case reserved
    case fault(Fault)
  }

  /// What is wrong at the place where a batch is due.
  struct Fault: Equatable {
    /// Where in the file.
    let offset: Int
    let positions: ClosedRange<UInt64>
    let reason: String
    /// Nil where the header itself is wrong.
    let batchLength: Int?
    /// Whether all checksums are right, so that what is wrong was written like that.
    let isWhole: Bool
  }

  private(set) var live = LiveIndex(end: SegmentHeader.size)
  private(set) var hasher: SHA256Hasher
  private(set) var stop = Stop.fileEnd
  private let window: FileWindow
  private let first: UInt64
  private var decoder = RecordDecoder()
  private(set) var lastTime: Int64

  var fault: Fault? { if case .fault(let fault) = stop { fault } else { nil } }

  /// Where the last good batch ends.
  var end: Int { live.end }
  var nextPosition: UInt64 { first + UInt64(live.count) }

  /// Reads all good batches from the front; ``stop`` says what comes then.
  init(_ window: FileWindow, header: SegmentHeader) throws(StorageError) {
    self.window = window
    first = header.first
    lastTime = header.previousTime
    hasher = header.chainHasher
    while try readBatch() {}
  }

  private mutating func readBatch() throws(StorageError) -> Bool {
    let start = end
    if start >= window.size { return false }
    let sectorEnd = (start / FileFormat.sectorSize + 1) * FileFormat.sectorSize
    if try window.isZero(from: start, to: sectorEnd) {
      if try window.isZero(from: sectorEnd, to: window.size) {
        stop = .reserved
        return false
      }
      return halt("a batch is missing, though something is behind it", at: start, header: nil)
    }
    guard let header = BatchHeader(try window.bytes(start..<start + BatchHeader.size)) else {
      return halt("a batch's header does not match its checksum", at: start, header: nil)
    }
    guard header.first == nextPosition, header.durable < header.first else {
      return halt(
        "a batch does not follow the one before it", at: start, header: header, isWhole: true)
    }
    let batch = try window.bytes(start..<start + Int(header.length))
    guard batch.count == Int(header.length) else {
      return halt("a batch is cut short", at: start, header: header)
    }
    do throws(FrameFault) {
      try check(batch, header: header)
    } catch {
      return halt(error.reason, at: start, header: header)
    }
    do throws(FrameFault) {
      try index(batch, header: header, at: start)
    } catch {
      return halt(error.reason, at: start, header: header, isWhole: true)
    }
    return true
  }

  private mutating func halt(
    _ reason: String, at offset: Int, header: BatchHeader?, isWhole: Bool = false
  ) -> Bool {
    stop = .fault(
      Fault(
        offset: offset, positions: header?.positions ?? nextPosition...nextPosition,
        reason: reason, batchLength: header.map { Int($0.length) }, isWhole: isWhole))
    return false
  }

  /// Checks all of a batch before any of it counts.
  private func check(
    _ batch: UnsafeRawBufferPointer, header: BatchHeader
  ) throws(FrameFault) {
    let recordsEnd = batch.count - BatchTrailer.size
    var chain: UInt32 = 0
    var offset = BatchHeader.size
    for position in header.positions {
      let record = try RecordFrame(batch.part(offset..<recordsEnd))
      guard record.position == position else { throw FrameFault("a record is out of order") }
      chain = CRC32C.checksum(batch.part(offset + 8..<offset + 12), seed: chain)
      offset += record.length
    }
    guard offset == recordsEnd, BatchTrailer.check(batch, chain: chain) else {
      throw FrameFault("a batch's trailer does not match its records")
    }
  }

  private mutating func index(
    _ batch: UnsafeRawBufferPointer, header: BatchHeader, at start: Int
  ) throws(FrameFault) {
    var added = live
    live = LiveIndex(end: 0)
    defer { live = added }
    var offset = BatchHeader.size
    for _ in 0..<header.count {
      let bytes = batch.part(offset..<batch.count)
      let record = try RecordFrame(bytes)
      let stream = try decoder.stream(of: record, in: bytes)
      let known = added.streams[stream]?.lastRevision
      guard record.time >= lastTime, record.revision == known.map({ $0 + 1 }) ?? record.revision,
        record.revision > 0
      else { throw FrameFault("a record does not follow the one before it") }
      lastTime = record.time
      added.add(
        stream, firstRevision: record.revision, ordinals: added.count..<added.count + 1)
      added.add(offset: UInt32(start + offset), time: record.time, command: record.command)
      offset += record.length
    }
    added.close(batchEnd: start + batch.count)
    hasher.update(batch.part(0..<BatchHeader.size))
    hasher.update(batch.part(batch.count - BatchTrailer.size..<batch.count))
  }
}
