import Digests
import EventSourcing
import Testing

@testable import EventLog

/// Files whose checksums are right and whose numbers are impossible: what no disk makes of a log, and
/// somebody may. They are refused, and nothing traps.
struct ImpossibleNumberTests {
  private func header(first: UInt64, previousFirst: UInt64 = 0) -> SegmentHeader {
    SegmentHeader(
      log: .random(), first: first, previousFirst: previousFirst, created: 0, previousTime: .min,
      previousDigest: .zero)
  }

  private func record(_ stream: String, position: UInt64, revision: UInt64) -> [UInt8] {
    let name = Array(stream.utf8)
    return name.withRawBytes { name in
      [UInt8](zeros: RecordFrame.length(stream: name.count, type: 0, data: 0, meta: 0)) { out in
        let empty = UnsafeRawBufferPointer(start: nil, count: 0)
        _ = RecordFrame.write(
          RecordFrame.Fields(
            position: position, revision: revision, time: 0, command: 0, schema: 1),
          stream: name, type: empty, data: empty, meta: empty, to: out)
      }
    }
  }

  private func batch(first: UInt64, count: Int? = nil, _ records: [[UInt8]]) -> [UInt8] {
    let content = records.flatMap { $0 }
    let length = UInt32(BatchHeader.size + content.count + BatchTrailer.size)
    return [UInt8](zeros: Int(length)) { out in
      BatchHeader(
        length: length, first: first, durable: first &- 1, count: UInt32(count ?? records.count)
      ).write(to: out)
      content.withUnsafeBytes { out.put($0, at: BatchHeader.size) }
      let chain = records.reduce(UInt32(0)) { chain, record in
        record.withRawBytes { CRC32C.checksum($0.part(8..<12), seed: chain) }
      }
      BatchTrailer.write(chain: chain, length: length, to: out)
    }
  }

  private func scan(_ header: SegmentHeader, _ batches: [UInt8]) throws -> SegmentScan {
    let directory = TemporaryDirectory()
    let path = directory.path + "/file"
    try writeFile(path, header.encoded() + batches)
    let file = try FileStorage().open(path, .read)
    return try SegmentScan(FileWindow(file, size: try file.size()), header: header)
  }

  @Test(arguments: [UInt64(0), 1 << 62 + 1, .max])
  func aHeaderHasAPossibleFirstPosition(_ first: UInt64) {
    #expect(throws: FrameFault("the segment's first position is impossible")) {
      try header(first: first).encoded().withRawBytes { bytes throws(FrameFault) in
        try SegmentHeader(bytes)
      }
    }
  }

  @Test func aSegmentIsBehindTheOneBefore() {
    #expect(throws: FrameFault("the segment's first position is impossible")) {
      try header(first: 5, previousFirst: 5).encoded().withRawBytes { bytes throws(FrameFault) in
        try SegmentHeader(bytes)
      }
    }
  }

  @Test(arguments: [UInt64(1 << 62 + 1), .max])
  func aBatchHasAPossibleFirstPosition(_ first: UInt64) {
    #expect(
      batch(first: first, [record("list/a", position: first, revision: 1)]).withRawBytes {
        BatchHeader($0)
      } == nil)
  }

  @Test(arguments: [UInt64(1 << 62 + 1), .max])
  func aRecordHasPossibleNumbers(_ number: UInt64) {
    let fault = FrameFault("a record's position or revision is impossible")
    for record in [
      record("list/a", position: 1, revision: number),
      record("list/a", position: number, revision: 1),
    ] {
      #expect(throws: fault) {
        _ = try record.withRawBytes { bytes throws(FrameFault) in try RecordFrame(bytes) }
      }
    }
  }

  @Test func positionsMayComeToTheirLimit() throws {
    let first = FileFormat.greatestPosition
    let good = batch(
      first: first, [record("list/a", position: first, revision: FileFormat.greatestPosition)])
    let scan = try scan(header(first: first), good)
    #expect(scan.stop == .fileEnd && scan.nextPosition == first + 1)
  }

  /// A batch's number of records is believed only as far as there are bytes.
  @Test func aCountBeyondTheBatch() throws {
    let bytes = batch(
      first: 1, count: .init(UInt32.max), [record("list/a", position: 1, revision: 1)])
    let scan = try scan(header(first: 1), bytes)
    #expect(scan.live.count == 0 && scan.fault?.reason == "a record is cut short")
    #expect(scan.fault?.positions == 1...UInt64(UInt32.max))
  }

  /// A batch that does not follow says nothing of which positions are damaged.
  @Test func aBatchOfElsewhere() throws {
    let scan = try scan(
      header(first: 7), batch(first: 3, [record("list/a", position: 3, revision: 1)]))
    #expect(scan.fault?.positions == 7...7)
  }

  /// A batch in which one record does not follow counts for nothing, the ones before it included.
  @Test func aBatchCountsAsAWhole() throws {
    let good = batch(first: 1, [record("list/a", position: 1, revision: 1)])
    let bad = batch(
      first: 2,
      [
        record("list/a", position: 2, revision: 2), record("list/b", position: 3, revision: 1),
        record("list/a", position: 4, revision: 2),
      ])
    let scan = try scan(header(first: 1), good + bad)
    #expect(scan.fault?.reason == "a record does not follow the one before it")
    #expect(scan.nextPosition == 2 && scan.live.count == 1)
    #expect(scan.live.streams.map(\.stream) == [stream("a")])
    #expect(scan.live.postings(of: stream("a"))?.ordinals == [0])
    #expect(scan.end == SegmentHeader.size + good.count)
  }

  // MARK: Index files

  /// An index with right checksums that leads out of its segment is made anew.
  @Test(arguments: IndexImage.Section.allCases)
  func anIndexThatLeadsOutOfItsSegment(_ section: IndexImage.Section) throws {
    let directory = TemporaryDirectory()
    let store = try directory.open()
    for _ in 0..<20 {
      store.appendAndWait(AppendBatch(stream("a"), [900, 900], command: command("c")))
    }
    let events = try store.everything()
    store.close()
    let good = try readFile(directory.index(1))
    for value in [UInt32.max, 0, 1 << 31] {
      var index = good
      index.withUnsafeMutableBytes { bytes in
        let entry = IndexImage.tableEntry(section.rawValue)
        let offset = Int(UnsafeRawBufferPointer(bytes).number(at: entry, as: UInt64.self))
        let length = Int(UnsafeRawBufferPointer(bytes).number(at: entry + 8, as: UInt64.self))
        for place in stride(from: offset, to: offset + length, by: 4) {
          bytes.put(value, at: place)
        }
        let all = UnsafeRawBufferPointer(bytes)
        bytes.put(CRC32C.checksum(all.part(offset..<offset + length)), at: entry + 16)
        let end = IndexImage.headerSize - 4
        bytes.put(CRC32C.checksum(all.part(0..<end)), at: end)
      }
      try writeFile(directory.index(1), index)
      let store = try directory.open()
      #expect(try store.everything() == events)
      let own = try? store.read(stream("a"), after: .none, limit: ReadLimit(events: 1000))
      // All zeros lead nowhere else but to the first record, which says whose it is.
      #expect(own == events || value == 0)
      store.close()
    }
  }
}
