internal import EventSourcing

@testable import EventLog

/// A log as a start finds it, with its reader but without its writer's thread, which would be most
/// of what a run costs.
struct ColdLog {
  let head: UInt64
  private let reader: LogReader

  /// Nil where a start refuses the log.
  init?(_ storage: MemoryStorage) {
    let place = LogDirectory(storage: storage, root: Log.root)
    let recovery = Recovery(directory: place, segmentBytes: Log.segmentBytes)
    guard let found = try? recovery.find(created: 0) else { return nil }
    self.init(found.segments, head: found.tail.position, storage)
  }

  init(_ segments: [Segment], head: UInt64, _ storage: MemoryStorage) {
    let place = LogDirectory(storage: storage, root: Log.root)
    let files = SegmentFiles(storage: storage, limit: 8)
    let indexes = SegmentIndexes(
      storage: storage, directory: place.index, files: files, hash: StreamHash(mask: .max),
      cacheBytes: 1 << 20)
    self.head = head
    reader = LogReader(
      catalog: Catalog(segments),
      locator: RecordLocator(indexes: indexes, records: RecordReader(files: files)))
  }

  private static let all = ReadLimit(events: 10_000)

  func forward() throws(ReadError) -> [RecordedEvent] {
    let read = Result { () throws(ReadError) in
      try reader.events(after: 0, head: head, limit: Self.all)
    }
    check(read) { body throws(ReadError) in
      try reader.visit(after: 0, head: head, limit: Self.all, body)
    }
    return try read.get()
  }

  func backward() throws(ReadError) -> [RecordedEvent] {
    try reader.events(before: head + 1, head: head, limit: Self.all)
  }

  func events(of stream: StreamID) throws(ReadError) -> [RecordedEvent] {
    let read = Result { () throws(ReadError) in
      try reader.events(of: stream, after: 0, limit: Self.all)
    }
    check(read) { body throws(ReadError) in
      try reader.visit(stream, after: 0, limit: Self.all, body)
    }
    return try read.get()
  }

  /// Events shown where they lie are those that are read; damage is the same damage.
  private func check(
    _ read: Result<[RecordedEvent], ReadError>,
    _ visit: ((EventView) -> Bool) throws(ReadError) -> Void
  ) {
    var shown: [RecordedEvent] = []
    do throws(ReadError) {
      try visit { event in
        shown.append(event.recorded)
        return true
      }
      require(read == .success(shown), "a visit shows what is read")
    } catch {
      require(read == .failure(error), "a visit ends where a read fails")
    }
  }

  func position(at time: Int64) throws(ReadError) -> UInt64 {
    try reader.position(at: time, head: head)
  }
}
