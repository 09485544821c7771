import EventSourcing
import SwipestreamTesting
import Testing

@testable import EventLog

/// A log of one segment with a few batches, and where they are in it.
struct WrittenLog {
  let directory = TemporaryDirectory()
  /// Hundreds of logs are opened: not waiting for the disk saves a minute.
  private let storage = FaultyStorage(isSyncing: false)
  let events: [RecordedEvent]
  /// Where each batch begins, then where the last one ends.
  let bounds: [Int]
  /// How many events there are before each batch, then in all.
  let counts: [Int]
  let bytes: [UInt8]

  var path: String { directory.segment(1) }
  var last: Range<Int> { bounds[bounds.count - 2]..<bounds[bounds.count - 1] }

  /// - Parameter lengths: of the texts of each batch's events.
  init(_ lengths: [[Int]]) throws {
    let store = try directory.open(storage: storage)
    var bounds = [SegmentHeader.size]
    var counts = [0]
    for batch in lengths {
      store.appendAndWait(AppendBatch(stream("a"), batch, command: command("c\(counts.count)")))
      bounds.append(store.statistics.bytes)
      counts.append(Int(store.head.rawValue))
    }
    events = try store.everything()
    store.close()
    self.bounds = bounds
    self.counts = counts
    bytes = try readFile(directory.segment(1))
  }

  /// Puts other bytes in the segment's place, opens the log, and checks that it holds the first
  /// `count` events and takes more.
  func expectRecovered(_ changed: [UInt8], count: Int, note: Bool = true) throws {
    try writeFile(path, changed)
    try writeMark(UInt64(count))
    let store = try directory.open(storage: storage)
    #expect((store.statistics.recoveryNote != nil) == note)
    #expect(try store.everything() == Array(events[..<count]))
    let last = try store.command(command("c\(counts.count - 1)"), in: stream("a"))
    #expect((last == nil) == (count < events.count))
    let receipt = store.appendAndWait(AppendBatch(stream("a"), [1, 700]))
    #expect(receipt.value?.first.rawValue == UInt64(count + 1))
    store.close()
    let again = try directory.open(storage: storage)
    #expect(again.statistics.recoveryNote == nil)
    #expect(again.head.rawValue == UInt64(count + 2))
    #expect(Array(try again.everything()[..<count]) == Array(events[..<count]))
    again.close()
  }

  /// Makes the mark say that the log is durable up to `head`.
  func writeMark(_ head: UInt64) throws {
    let header = try bytes.withRawBytes { bytes throws(FrameFault) in try SegmentHeader(bytes) }
    try writeFile(directory.path + "/head", HeadMark(log: header.log, head: head).encoded())
  }

  /// Puts other bytes in the segment's place and checks that the log does not open, says where, and
  /// leaves everything as it was.
  func expectDamage(_ changed: [UInt8], at offset: Int, position: UInt64? = nil) throws {
    try writeFile(path, changed)
    let before = directory.snapshot()
    do {
      try directory.open(storage: storage).close()
      Issue.record("opened in spite of damage at \(offset)")
    } catch EventLogError.damaged(let file, let place, let positions, _) {
      #expect(file == FileFormat.segmentName(first: 1))
      #expect(place == offset)
      if let position { #expect(positions?.contains(position) == true) }
    }
    #expect(directory.snapshot() == before)
  }
}

@Suite("Recovery")
struct RecoveryTests {
  @Test("The last batch cut at any byte, the file ending there: what is before it stays")
  func cutShort() throws {
    let log = try WrittenLog([[10], [20, 30], [5, 500, 40]])
    for cut in log.last.dropFirst() {
      try log.expectRecovered(Array(log.bytes[..<cut]), count: log.counts[2])
    }
    try log.expectRecovered(Array(log.bytes[..<log.last.lowerBound]), count: 3, note: false)
  }

  @Test("The last batch cut at any byte, zeros behind it as reserved: what is before it stays")
  func zeroTail() throws {
    let log = try WrittenLog([[10], [20, 30], [5, 500, 40]])
    for cut in log.last.dropFirst() {
      var bytes = log.bytes
      for index in cut..<log.last.upperBound { bytes[index] = 0 }
      try log.expectRecovered(bytes, count: log.counts[2])
    }
  }

  @Test("The last batch with any one sector not written: what is before it stays")
  func lostSector() throws {
    let log = try WrittenLog([[10], [20, 30], [400, 900, 40]])
    var start = log.last.lowerBound
    while start < log.last.upperBound {
      let end = min((start / 512 + 1) * 512, log.last.upperBound)
      var bytes = log.bytes
      for index in start..<end { bytes[index] = 0 }
      try log.expectRecovered(bytes, count: log.counts[2])
      start = end
    }
  }

  @Test("A batch of an unsynced group lost, though one behind it is there: both are cut")
  func lostBatchOfGroup() throws {
    let log = try WrittenLog([[10], [20, 30]])
    // Two batches that were written when position 3 was durable, the first one lost.
    func batch(_ position: UInt64, _ revision: UInt64) -> [UInt8] {
      var batch = DiskBatch()
      let fields = RecordFrame.Fields(
        position: position, revision: revision, time: 9, command: 0, schema: 1)
      let text = [UInt8]("{\"text\":\"\(String(repeating: "y", count: 900))\"}".utf8)
      text.withUnsafeBytes { text in
        Array("list/a".utf8).withUnsafeBytes { name in
          batch.add(fields, stream: name, type: name, data: text, meta: text)
        }
      }
      return Array(batch.finish(durable: 3))
    }
    let first = batch(4, 4)
    let second = batch(5, 5)
    var bytes = log.bytes
    let end = log.last.upperBound
    bytes.replaceSubrange(end + first.count..<end + first.count + second.count, with: second)
    try log.expectRecovered(bytes, count: 3)
    // Had it been there, all would be well.
    bytes.replaceSubrange(end..<end + first.count, with: first)
    try writeFile(log.path, bytes)
    let store = try log.directory.open()
    #expect(store.head.rawValue == 5)
    store.close()
  }

  @Test("A durable batch with a sector lost is damage: a later batch knows that it was durable")
  func lostSectorInTheMiddle() throws {
    let log = try WrittenLog([[10], [900, 900], [40]])
    let middle = log.bounds[1]..<log.bounds[2]
    var start = middle.lowerBound
    while start < middle.upperBound {
      let end = min((start / 512 + 1) * 512, middle.upperBound)
      var bytes = log.bytes
      for index in start..<end { bytes[index] = 0 }
      try log.expectDamage(bytes, at: middle.lowerBound, position: 2)
      start = end
    }
  }

  @Test("Any flipped bit of the last batch is damage", arguments: SeededRandom.seeds(1))
  func flippedInLast(seed: UInt64) throws {
    print("SWIPESTREAM_SEED=\(seed)")
    var random = SeededRandom(seed: seed)
    let log = try WrittenLog([[10], [20, 30], [5, 500, 40]])
    for index in log.last {
      var bytes = log.bytes
      bytes[index] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      try log.expectDamage(bytes, at: log.last.lowerBound, position: 4)
    }
  }

  @Test("Any flipped bit of a batch in the middle, or the header, is damage")
  func flippedInMiddle() throws {
    let log = try WrittenLog([[10], [20, 530], [5]])
    for index in log.bounds[1]..<log.bounds[2] {
      var bytes = log.bytes
      bytes[index] ^= 1 << UInt8(index % 8)
      try log.expectDamage(bytes, at: log.bounds[1], position: 2)
    }
    for index in stride(from: 0, to: SegmentHeader.size, by: 37) {
      var bytes = log.bytes
      bytes[index] ^= 1 << UInt8(index % 8)
      try log.expectDamage(bytes, at: 0)
    }
  }

  @Test("A half-made segment is made anew")
  func halfMadeSegment() throws {
    let log = try WrittenLog([[10], [20]])
    let next = log.directory.segment(3) + ".tmp"
    try writeFile(next, [1, 2, 3])
    try writeFile(log.directory.segment(1) + ".tmp", [])
    let store = try log.directory.open()
    #expect(try store.everything() == log.events)
    store.close()
  }
}
