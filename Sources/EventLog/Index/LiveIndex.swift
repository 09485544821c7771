internal import EventSourcing

/// Where a segment's records are, in memory: of the newest segment, and of one whose index file is
/// being made. Records are numbered from 0 within the segment: their ordinals.
struct LiveIndex {
  /// One stream's records in the segment; their revisions follow one another.
  struct Postings {
    let firstRevision: UInt64
    var ordinals: [UInt32]

    var lastRevision: UInt64 { firstRevision + UInt64(ordinals.count) - 1 }
  }

  struct Command: Equatable {
    let key: UInt64
    let ordinal: UInt32
  }

  private(set) var offsets: [UInt32] = []
  private(set) var streams: [StreamID: Postings] = [:]
  /// In log order.
  private(set) var commands: [Command] = []
  private(set) var firstTime: Int64 = 0
  private(set) var lastTime: Int64 = 0
  /// Where the last batch ends.
  private(set) var end: Int

  init(end: Int) { self.end = end }

  var count: Int { offsets.count }

  /// Adds a record whose stream is told by ``add(_:firstRevision:ordinals:)``.
  @inline(__always)
  mutating func add(offset: UInt32, time: Int64, command: UInt64) {
    if offsets.isEmpty { firstTime = time }
    lastTime = time
    if command != 0 { commands.append(Command(key: command, ordinal: UInt32(offsets.count))) }
    offsets.append(offset)
  }

  /// Says whose the records `ordinals` are.
  @inline(__always)
  mutating func add(_ stream: StreamID, firstRevision: UInt64, ordinals: Range<Int>) {
    let new = Postings(firstRevision: firstRevision, ordinals: [])
    streams[stream, default: new].ordinals.append(
      contentsOf: UInt32(ordinals.lowerBound)..<UInt32(ordinals.upperBound))
  }

  mutating func close(batchEnd: Int) { end = batchEnd }

  /// Takes back what was added since there were `count` records.
  mutating func removeRecords(from count: Int, lastTime time: Int64) {
    offsets.removeLast(offsets.count - count)
    commands.removeAll { $0.ordinal >= count }
    for (stream, postings) in streams where postings.ordinals.last.map({ $0 >= count }) ?? true {
      let kept = postings.ordinals.prefix { $0 < count }
      streams[stream] =
        kept.isEmpty ? nil : Postings(firstRevision: postings.firstRevision, ordinals: Array(kept))
    }
    lastTime = count == 0 ? 0 : time
  }
}
