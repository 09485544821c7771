internal import ActorRuntime
internal import EventSourcing

/// Where records are, by ordinal and by stream.
struct RecordLocator: Sendable {
  /// One stream's part of a segment.
  struct Extent {
    let revisions: ClosedRange<UInt64>
    /// Where the postings begin in a sealed segment's index; nil in the newest segment.
    fileprivate let start: Int?
  }

  private struct ExtentKey: Hashable {
    let segment: UInt64
    let stream: StreamID
  }

  let indexes: SegmentIndexes
  let records: RecordReader
  /// Of sealed segments, nil where a stream is not in one. A long stream is read a few thousand
  /// events at a time, and without this each time would search all segments' indexes again.
  private let extents = Lock(BoundedCache<ExtentKey, Extent?>(limit: 1 << 16))

  init(indexes: SegmentIndexes, records: RecordReader) {
    self.indexes = indexes
    self.records = records
  }

  /// The places of the records `ordinals`, which the segment has.
  func places(
    _ ordinals: some Collection<Int>, of segment: Segment
  ) throws(ReadError) -> [RecordPlace] {
    let live = segment.withLive { live in
      ordinals.map { ordinal in
        RecordPlace(
          ordinal: UInt32(ordinal), offset: Int(live.offsets[ordinal]),
          end: ordinal + 1 < live.count ? Int(live.offsets[ordinal + 1]) : live.end)
      }
    }
    if let live { return live }
    let seal = Self.seal(of: segment)
    let offsets = try indexes.section(.offsets, of: segment, seal)
    return ordinals.map { ordinal in
      let isLast = ordinal + 1 == seal.count
      return RecordPlace(
        ordinal: UInt32(ordinal), offset: Int(offsets.number(at: ordinal * 4, as: UInt32.self)),
        end: isLast ? seal.length : Int(offsets.number(at: ordinal * 4 + 4, as: UInt32.self)))
    }
  }

  func place(_ ordinal: Int, of segment: Segment) throws(ReadError) -> RecordPlace {
    try places(ordinal..<ordinal + 1, of: segment)[0]
  }

  /// Which revisions of the stream are in the segment; nil where none is.
  func extent(of stream: StreamID, in segment: Segment) throws(ReadError) -> Extent? {
    let live = segment.withLive { live in
      live.postings(of: stream).map {
        Extent(revisions: $0.firstRevision...$0.lastRevision, start: nil)
      }
    }
    if let live { return live }
    let key = ExtentKey(segment: segment.first, stream: stream)
    if let known = extents.withLock({ $0.value(for: key) }) { return known }
    let found = try sealedExtent(of: stream, in: segment, Self.seal(of: segment))
    extents.withLock { $0.insert(found, for: key) }
    return found
  }

  /// The places of some of the revisions of an extent.
  func places(
    of stream: StreamID, _ revisions: ClosedRange<UInt64>, _ extent: Extent, in segment: Segment
  ) throws(ReadError) -> [RecordPlace] {
    let from = Int(revisions.lowerBound - extent.revisions.lowerBound)
    let range = from..<from + revisions.count
    let live = segment.withLive { live in
      live.postings(of: stream).map { $0.ordinals[range].map { Int($0) } } ?? []
    }
    if let live { return try places(live, of: segment) }
    let seal = Self.seal(of: segment)
    let postings = try indexes.section(.postings, of: segment, seal)
    var start = extent.start
    // Without one, the segment was sealed after the extent was looked up.
    if start == nil { start = try sealedExtent(of: stream, in: segment, seal)?.start }
    guard let start else { return [] }
    let ordinals = range.map { Int(postings.number(at: (start + $0) * 4, as: UInt32.self)) }
    return try places(ordinals, of: segment)
  }

  private func sealedExtent(
    of stream: StreamID, in segment: Segment, _ seal: Segment.Seal
  ) throws(ReadError) -> Extent? {
    let table = try indexes.section(.streams, of: segment, seal)
    let wanted = indexes.hash(of: stream)
    var low = 0
    var high = table.bytes.count / IndexImage.streamSize
    let count = high
    while low < high {
      let middle = (low + high) / 2
      let hash: UInt64 = table.number(at: middle * IndexImage.streamSize)
      if hash < wanted { low = middle + 1 } else { high = middle }
    }
    while low < count, table.number(at: low * IndexImage.streamSize, as: UInt64.self) == wanted {
      if let extent = try match(low, in: table, stream, segment, seal) { return extent }
      low += 1
    }
    return nil
  }

  /// The entry's extent where it is the stream's: two streams may have one hash, so a record of it
  /// is asked.
  private func match(
    _ index: Int, in table: IndexSection, _ stream: StreamID, _ segment: Segment,
    _ seal: Segment.Seal
  ) throws(ReadError) -> Extent? {
    let entry = index * IndexImage.streamSize
    let last: UInt64 = table.number(at: entry + 8)
    let start = Int(table.number(at: entry + 16, as: UInt32.self))
    let count = table.number(at: entry + 20, as: UInt32.self)
    let postings = try indexes.section(.postings, of: segment, seal)
    let ordinal: UInt32 = postings.number(at: (start + Int(count) - 1) * 4)
    let event = try records.event(at: try place(Int(ordinal), of: segment), of: segment)
    guard event.stream == stream else { return nil }
    return Extent(revisions: last - UInt64(count) + 1...last, start: start)
  }

  /// A segment is live or sealed, and once sealed never live again.
  private static func seal(of segment: Segment) -> Segment.Seal {
    guard let seal = segment.seal else { preconditionFailure("a sealed segment has no seal") }
    return seal
  }
}
