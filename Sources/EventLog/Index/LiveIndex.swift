internal import EventSourcing

/// Where a segment's records are, in memory: of the newest segment, and of one whose index file is
/// being made. Records are numbered from 0 within the segment: their ordinals.
struct LiveIndex {
  /// One stream's records in the segment; their revisions follow one another.
  struct Postings {
    fileprivate(set) var firstRevision: UInt64
    fileprivate(set) var ordinals: [UInt32]

    var lastRevision: UInt64 { firstRevision + UInt64(ordinals.count) - 1 }
  }

  struct Command: Equatable {
    let key: UInt64
    let ordinal: UInt32
  }

  private(set) var offsets: [UInt32] = []
  private var table = StreamTable()
  /// By the streams' numbers in the table; a stream that is numbered may have none yet.
  private var postings: [Postings] = []
  /// In log order.
  private(set) var commands: [Command] = []
  private(set) var firstTime: Int64 = 0
  private(set) var lastTime: Int64 = 0
  /// Where the last batch ends.
  private(set) var end: Int

  init(end: Int) { self.end = end }

  var count: Int { offsets.count }

  /// All streams that have records in the segment.
  var streams: [(stream: StreamID, postings: Postings)] {
    postings.indices.compactMap { number in
      postings[number].ordinals.isEmpty ? nil : (table[number], postings[number])
    }
  }

  /// The stream's records; nil where the segment has none.
  func postings(of stream: StreamID) -> Postings? {
    table.find(stream, StreamTable.Hash(of: stream)).flatMap { number in
      postings[number].ordinals.isEmpty ? nil : postings[number]
    }
  }

  /// The stream's number, to add records of it by.
  @inline(__always)
  mutating func number(of stream: StreamID, _ hash: StreamTable.Hash) -> Int {
    let number = table.number(of: stream, hash)
    if number == postings.count { postings.append(Postings(firstRevision: 0, ordinals: [])) }
    return number
  }

  /// The last revision of the stream with this number; nil where it has none in the segment.
  @inline(__always)
  func lastRevision(of number: Int) -> UInt64? {
    postings[number].ordinals.isEmpty ? nil : postings[number].lastRevision
  }

  /// Adds a record whose stream is told by ``add(_:firstRevision:ordinals:)``.
  @inline(__always)
  mutating func add(offset: UInt32, time: Int64, command: UInt64) {
    if offsets.isEmpty { firstTime = time }
    lastTime = time
    if command != 0 { commands.append(Command(key: command, ordinal: UInt32(offsets.count))) }
    offsets.append(offset)
  }

  /// Says whose the records `ordinals` are: of the stream with this number.
  @inline(__always)
  mutating func add(_ stream: Int, firstRevision: UInt64, ordinals: Range<Int>) {
    if postings[stream].ordinals.isEmpty { postings[stream].firstRevision = firstRevision }
    for ordinal in ordinals { postings[stream].ordinals.append(UInt32(ordinal)) }
  }

  mutating func close(batchEnd: Int) { end = batchEnd }

  /// Takes back what was added since there were `count` records.
  mutating func removeRecords(from count: Int, lastTime time: Int64) {
    offsets.removeLast(offsets.count - count)
    commands.removeAll { $0.ordinal >= count }
    for number in postings.indices {
      while let last = postings[number].ordinals.last, last >= count {
        postings[number].ordinals.removeLast()
      }
    }
    lastTime = count == 0 ? 0 : time
  }
}
