import EventSourcing
import SwipestreamTesting
import Testing

@testable import EventLog

@Suite("Sealed segments")
struct SegmentChainTests {
  private let directory = TemporaryDirectory()
  private let events: [RecordedEvent]
  private let firsts: [UInt64]

  init() throws {
    let store = try directory.open()
    for index in 0..<60 {
      store.appendAndWait(
        AppendBatch(stream("s\(index % 5)"), [300, 300, 30], command: command("c\(index)")))
    }
    events = try store.everything()
    firsts = store.core.catalog.all.map(\.first)
    store.close()
    #expect(firsts.count > 4)
  }

  private func expectDamage(of first: UInt64) throws {
    let before = directory.snapshot()
    do {
      try directory.open().close()
      Issue.record("opened in spite of damage")
    } catch EventLogError.damaged(let file, _, _, _) {
      #expect(file == FileFormat.segmentName(first: first))
    }
    #expect(directory.snapshot() == before)
  }

  @Test("A missing segment is noticed at the start")
  func missing() throws {
    let before = directory.snapshot()
    for index in 0..<firsts.count - 1 {
      try FileStorage().remove(directory.segment(firsts[index]))
      try expectDamage(of: firsts[index + 1])
      let name = "/log/" + FileFormat.segmentName(first: firsts[index])
      try writeFile(directory.segment(firsts[index]), try #require(before[name]))
    }
    try directory.open().close()
  }

  @Test("A segment under another's name is noticed at the start")
  func renamed() throws {
    try writeFile(directory.segment(firsts[1]), try readFile(directory.segment(firsts[2])))
    try expectDamage(of: firsts[1])
  }

  @Test("The newest sealed segment with another batch header does not fit the chain")
  func digest() throws {
    let sealed = firsts[firsts.count - 2]
    var bytes = try readFile(directory.segment(sealed))
    bytes[SegmentHeader.size + 20] ^= 1
    try writeFile(directory.segment(sealed), bytes)
    try expectDamage(of: sealed)
    bytes[SegmentHeader.size + 20] ^= 1
    try writeFile(directory.segment(sealed), Array(bytes.dropLast()))
    try expectDamage(of: sealed)
  }

  @Test("Damage in an older segment is found and named by the first read that meets it")
  func olderDamage() throws {
    let path = directory.segment(firsts[1])
    var bytes = try readFile(path)
    // In the text of the first record.
    bytes[SegmentHeader.size + BatchHeader.size + 200] ^= 4
    try writeFile(path, bytes)
    let store = try directory.open()
    let limit = ReadLimit(events: 10_000, bytes: 1 << 30)
    let good = try store.read(
      after: .start, limit: ReadLimit(events: Int(firsts[1]) - 1, bytes: 1 << 30))
    #expect(good == Array(events[..<good.count]))
    let place = "\(FileFormat.segmentName(first: firsts[1])), offset \(SegmentHeader.size + 32)"
    do {
      _ = try store.read(after: .start, limit: limit)
      Issue.record("read in spite of damage")
    } catch .damaged(let where_, let positions, _) {
      #expect(where_ == place)
      #expect(positions == firsts[1]...firsts[1])
    }
    // The others can still be read, and the log goes on.
    let rest = try store.read(after: GlobalPosition(firsts[2] - 1), limit: limit)
    #expect(rest == Array(events[Int(firsts[2] - 1)...]))
    #expect(store.appendAndWait(AppendBatch(stream("s1"), [3])).error == nil)
    store.close()
    // Without an index the segment's commands are not known: what is known is answered, and what
    // may be one of the others is not taken for new.
    try FileStorage().remove(directory.index(firsts[1]))
    let again = try directory.open()
    #expect(
      again.statistics.recoveryNote?.contains(FileFormat.segmentName(first: firsts[1])) == true)
    #expect(try again.command(command("c59"), in: stream("s4")) != nil)
    #expect(throws: ReadError.self) { try again.command(command("new"), in: stream("s4")) }
    again.close()
  }

  @Test("A sealed segment cut short is an error, not a crash")
  func cutShort() throws {
    let path = directory.segment(firsts[0])
    let store = try directory.open()
    try FileStorage().open(path, .write).truncate(to: SegmentHeader.size + 100)
    #expect(throws: ReadError.self) { try store.everything() }
    #expect(throws: ReadError.self) { try store.position(at: Timestamp(microseconds: -5)) }
    store.close()
  }
}
