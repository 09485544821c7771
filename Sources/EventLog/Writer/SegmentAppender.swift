internal import Digests
internal import EventSourcing

/// The newest segment's file in the writer's hands: write, sync, cut back, go on to the next one.
/// It belongs to the writer's thread.
final class SegmentAppender {
  /// How far the segment goes.
  struct Tail {
    /// Where the last batch ends.
    var end: Int
    /// The last position.
    var position: UInt64
    /// The last record's time.
    var time: Int64
    /// Over the batches' headers and trailers.
    var hasher: SHA256Hasher
  }

  private let directory: LogDirectory
  private let segmentBytes: Int
  private var file: any LogFile
  private(set) var segment: Segment
  private(set) var durable: Tail
  /// With what was written since the last sync.
  private(set) var tail: Tail
  /// Set while a step to the next segment has begun and not ended. Nothing may be added to this one
  /// then: the next one's file, whose name says where this one ends, may be there already.
  private var isBetweenSegments = false

  init(
    directory: LogDirectory, segmentBytes: Int, file: any LogFile, segment: Segment, tail: Tail
  ) {
    self.directory = directory
    self.segmentBytes = segmentBytes
    self.file = file
    self.segment = segment
    durable = tail
    self.tail = tail
  }

  private var isEmpty: Bool { tail.end == SegmentHeader.size }
  var hasUnsynced: Bool { tail.end != durable.end }

  /// Whether a batch of `length` bytes goes into this segment; an empty one takes any.
  func hasRoom(for length: Int, behind pending: Int = 0) -> Bool {
    tail.end + pending + length <= segmentBytes || (isEmpty && pending == 0)
  }

  /// Writes a batch that ends with `position` at `time`.
  func write(_ batch: UnsafeRawBufferPointer, position: UInt64, time: Int64) throws(StorageError) {
    try file.write(batch, at: tail.end)
    tail.end += batch.count
    tail.position = position
    tail.time = time
    tail.hasher.update(batch.part(0..<BatchHeader.size))
    tail.hasher.update(batch.part(batch.count - BatchTrailer.size..<batch.count))
  }

  func sync() throws(StorageError) {
    try file.syncData()
    durable = tail
  }

  /// Cuts the file back to what is durable. Through a new descriptor: what a failed one still holds
  /// in the kernel is not to be trusted.
  func cut() throws(StorageError) {
    let fresh = try directory.storage.open(segment.path, .write)
    try fresh.truncate(to: durable.end)
    try fresh.sync()
    file = fresh
    tail = durable
  }

  /// Tries whether the disk works again: reserves room and writes to it.
  ///
  /// - Returns: the segment that was finished, where a step to the next one was due.
  func revive(created: Int64) throws(StorageError) -> Sealed? {
    if isBetweenSegments { return try advance(created: created) }
    let fresh = try directory.storage.open(segment.path, .write)
    try fresh.preallocate(to: max(segmentBytes, durable.end + FileFormat.sectorSize))
    try [UInt8](repeating: 0, count: FileFormat.sectorSize).withRawBytes {
      (zeros) throws(StorageError) in try fresh.write(zeros, at: durable.end)
    }
    try fresh.sync()
    file = fresh
    return nil
  }

  /// A segment that is finished, to be indexed.
  struct Sealed {
    let segment: Segment
    let seal: Segment.Seal
    /// The one that follows it.
    let next: Segment
  }

  /// Finishes this segment and goes on to the next.
  ///
  /// - Precondition: all that was written is synced.
  func advance(created: Int64) throws(StorageError) -> Sealed {
    precondition(!hasUnsynced)
    isBetweenSegments = true
    try file.truncate(to: durable.end)
    try file.sync()
    let digest = durable.hasher.digest()
    let header = SegmentHeader(
      log: segment.header.log, first: durable.position + 1, previousFirst: segment.first,
      created: created, previousTime: durable.time, previousDigest: digest)
    file = try directory.createSegment(header, size: segmentBytes)
    let next = Segment(
      header: header, path: directory.segmentPath(first: header.first),
      live: LiveIndex(end: SegmentHeader.size))
    let seal = Segment.Seal(
      count: Int(durable.position - segment.first) + 1, length: durable.end, digest: digest)
    let sealed = Sealed(segment: segment, seal: seal, next: next)
    segment = next
    durable = Tail(
      end: SegmentHeader.size, position: durable.position, time: durable.time,
      hasher: header.chainHasher)
    tail = durable
    isBetweenSegments = false
    return sealed
  }
}
