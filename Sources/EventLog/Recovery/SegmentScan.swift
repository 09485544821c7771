internal import Digests
internal import EventSourcing

/// A segment's batches, read and checked one after the other.
struct SegmentScan {
  /// What is done besides checking every frame, checksum, position and time.
  enum Depth {
    /// The records are indexed, and each must be the next revision of its stream.
    case index
    /// Nothing: as fast as the bytes come.
    case frames
  }

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
  private let depth: Depth
  private var decoder = RecordDecoder()
  private(set) var lastTime: Int64
  /// Where the last good batch ends.
  private(set) var end = SegmentHeader.size
  private(set) var nextPosition: UInt64
  /// How many good records were read.
  private(set) var count = 0
  /// How many of them were erased.
  private(set) var erased = 0
  /// Where the batches begin that were not yet durable when the last one was written.
  private(set) var lastGroup = SegmentHeader.size

  var fault: Fault? { if case .fault(let fault) = stop { fault } else { nil } }

  /// Reads all good batches from the front; ``stop`` says what comes then.
  init(
    _ window: FileWindow, header: SegmentHeader, depth: Depth = .index
  ) throws(StorageError) {
    self.window = window
    self.depth = depth
    nextPosition = header.first
    lastTime = header.previousTime
    hasher = header.chainHasher
    while try readBatch() {}
  }

  /// Goes on behind a fault, where a batch with the position `next` is due.
  mutating func resume(at offset: Int, next: UInt64) throws(StorageError) {
    precondition(depth == .frames, "an index has no gaps")
    stop = .fileEnd
    end = offset
    nextPosition = next
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
    guard start + Int(header.length) <= FileFormat.greatestOffset else {
      return halt(
        "a batch is beyond what a segment can hold", at: start, header: header, isWhole: true)
    }
    let batch = try window.bytes(start..<start + Int(header.length))
    guard batch.count == Int(header.length) else {
      return halt("a batch is cut short", at: start, header: header)
    }
    let found: Found
    do throws(FrameFault) {
      found = try check(batch, header: header)
    } catch {
      return halt(error.reason, at: start, header: header)
    }
    do throws(FrameFault) {
      try take(batch, found, header: header, at: start)
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
        offset: offset, positions: missing(before: header), reason: reason,
        batchLength: header.map { Int($0.length) }, isWhole: isWhole))
    return false
  }

  /// The positions that a broken batch leaves open. One that belongs elsewhere is no word about what
  /// is due here; all that is known is how far it does not reach.
  private func missing(before header: BatchHeader?) -> ClosedRange<UInt64> {
    guard let header, header.first >= nextPosition else { return nextPosition...nextPosition }
    return header.first == nextPosition ? header.positions : nextPosition...header.first - 1
  }

  /// What was seen in a batch while it was checked.
  private struct Found {
    var lastTime: Int64
    var isInOrder = true
    var erased = 0
  }

  /// Checks all of a batch before any of it counts.
  private func check(
    _ batch: UnsafeRawBufferPointer, header: BatchHeader
  ) throws(FrameFault) -> Found {
    var found = Found(lastTime: lastTime)
    try header.check(batch) { record, _ in
      if record.time < found.lastTime || record.revision == 0 { found.isInOrder = false }
      if record.isErased { found.erased += 1 }
      found.lastTime = record.time
    }
    return found
  }

  private mutating func take(
    _ batch: UnsafeRawBufferPointer, _ found: Found, header: BatchHeader, at start: Int
  ) throws(FrameFault) {
    guard found.isInOrder else {
      throw FrameFault("a record does not follow the one before it")
    }
    if depth == .index {
      do throws(FrameFault) {
        try index(batch, header: header, at: start)
      } catch {
        // A batch counts as a whole or not at all.
        live.removeRecords(from: count, lastTime: lastTime)
        throw error
      }
    }
    hasher.update(batch.part(0..<BatchHeader.size))
    hasher.update(batch.part(batch.count - BatchTrailer.size..<batch.count))
    lastTime = found.lastTime
    if header.durable + 1 == header.first { lastGroup = start }
    end = start + batch.count
    nextPosition += UInt64(header.count)
    count += Int(header.count)
    erased += found.erased
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
      let number = added.number(of: stream, StreamTable.Hash(of: stream))
      let known = added.lastRevision(of: number)
      guard record.revision == known.map({ $0 + 1 }) ?? record.revision else {
        throw FrameFault("a record does not follow the one before it")
      }
      added.add(
        number, firstRevision: record.revision, ordinals: added.count..<added.count + 1)
      added.add(offset: UInt32(start + offset), time: record.time, command: record.command)
      offset += record.length
    }
    added.close(batchEnd: start + batch.count)
  }
}
