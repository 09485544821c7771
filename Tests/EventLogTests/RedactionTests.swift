import ActorRuntime
import Digests
import EventSourcing
import Glibc
import SwipestreamTesting
import Testing

@testable import EventLog

@Suite("Replacing the text of records")
struct RedactionTests {
  /// Batches for several segments, of three streams.
  private func fill(_ store: SegmentedEventStore, batches: Int = 60) {
    for index in 0..<batches {
      store.appendAndWait(
        AppendBatch(stream("\(index % 3)"), [300, 40], command: command("c\(index)")))
    }
  }

  private func redactions(_ events: [RecordedEvent]) -> [Redaction] { events.map(blanked) }

  @Test("Text goes, everything else stays, now and after a restart")
  func replaces() throws {
    let directory = TemporaryDirectory()
    let store = try directory.open()
    fill(store)
    #expect(store.statistics.segments > 2)
    let before = try store.everything()
    let chosen = before.filter { $0.position.rawValue % 5 == 1 || $0.position == store.head }
    try store.redact(redactions(chosen))
    try store.redact(redactions(chosen))
    let expected = before.map { event in
      chosen.contains(event) ? event.replaced(by: blanked(event)) : event
    }
    #expect(try store.everything() == expected)
    let ofStream = try store.read(stream("1"), after: .none, limit: ReadLimit(events: 1000))
    #expect(ofStream == expected.filter { $0.stream == stream("1") })
    fill(store, batches: 3)
    store.close()
    let again = try directory.open()
    #expect(again.statistics.recoveryNote == nil)
    #expect(Array(try again.everything().prefix(expected.count)) == expected)
    again.close()
  }

  @Test("The files differ in the replaced records alone, which keep their first checksum")
  func touchesNothingElse() throws {
    let directory = TemporaryDirectory()
    let store = try directory.open()
    fill(store)
    let before = directory.snapshot()
    let event = try store.everything()[4]
    try store.redact([blanked(event)])
    let after = directory.snapshot()
    store.close()
    #expect(Set(before.keys) == Set(after.keys))
    let changed = before.keys.filter { before[$0] != after[$0] }
    #expect(changed == ["/log/" + FileFormat.segmentName(first: 1)])
    let old = try #require(before[changed[0]])
    let new = try #require(after[changed[0]])
    #expect(old.count == new.count)
    let differing = old.indices.filter { old[$0] != new[$0] }
    let span = try #require(differing.first)...(try #require(differing.last))
    #expect(span.count <= RecordFrame.size + event.data.count + event.meta.count + 30)
    let start = span.lowerBound - 4
    let frame = try Array(new[start...]).withRawBytes { (bytes) throws(FrameFault) in
      try RecordFrame(bytes)
    }
    #expect(frame.position == event.position.rawValue)
    #expect(new[start + 14] == RecordFrame.erasedFlag)
    #expect(Array(new[start + 8..<start + 12]) == Array(old[start + 4..<start + 8]))
  }

  @Test("What does not fit is refused, and nothing is changed")
  func refusesMisfits() throws {
    let directory = TemporaryDirectory()
    let store = try directory.open()
    fill(store, batches: 3)
    let events = try store.everything()
    let good = blanked(events[0])
    let short = Redaction(position: events[1].position, data: Array("{}".utf8), meta: good.meta)
    #expect(throws: RedactionError.unfit(events[1].position)) { try store.redact([good, short]) }
    let beyond = Redaction(position: GlobalPosition(99), data: good.data, meta: good.meta)
    #expect(throws: RedactionError.unfit(GlobalPosition(99))) { try store.redact([good, beyond]) }
    #expect(try store.everything() == events)
    store.close()
    #expect(throws: RedactionError.closed) { try store.redact([good]) }
  }

  @Test(
    "A call that fails: reads stay whole, the next call or the next start finishes it",
    arguments: [
      "open erasure.redo", "write erasure.redo", "sync erasure.redo", "sync directory log",
      "open .seg", "write .seg", "sync .seg", "remove erasure.redo",
    ], [false, true])
  func failingCall(call: String, restarts: Bool) throws {
    let directory = TemporaryDirectory()
    let storage = FaultyStorage()
    var store = try directory.open(storage: storage)
    fill(store)
    let before = try store.everything()
    let chosen = [before[1], before[2], before[50], before[before.count - 1]]
    let expected = before.map { chosen.contains($0) ? $0.replaced(by: blanked($0)) : $0 }
    let split = try #require(call.lastIndex(of: " "))
    let operation = try #require(StorageError.Operation(rawValue: String(call[..<split])))
    // The first write in place reaches the file in part.
    storage.fail(operation, of: String(call[call.index(after: split)...]), partialWrite: 70)
    #expect(throws: RedactionError.self) { try store.redact(chosen.map(blanked)) }
    for (event, old) in zip(try store.everything(), before) {
      #expect(event == old || event == old.replaced(by: blanked(old)))
    }
    storage.heal()
    if restarts {
      store.close()
      store = try directory.open()
      #expect(store.statistics.recoveryNote == nil)
      #expect(!directory.snapshot().keys.contains("/log/erasure.redo"))
    }
    try store.redact(chosen.map(blanked))
    #expect(try store.everything() == expected)
    #expect(!directory.snapshot().keys.contains("/log/erasure.redo"))
    store.close()
  }

  @Test("A start finishes what a crash left, wherever each write stopped")
  func crashInPlace() throws {
    let directory = TemporaryDirectory()
    let store = try directory.open()
    fill(store)
    let before = try store.everything()
    let log = store.logID
    store.close()
    let old = directory.snapshot()
    let chosen = [before[1], before[2], before[60]]
    let again = try directory.open()
    try again.redact(chosen.map(blanked))
    let expected = try again.everything()
    again.close()
    let new = directory.snapshot()
    let records = try replacedRecords(old: old, new: new, chosen)
    let redo = RedoFile(log: log, records: records).encoded()
    for part in [0, 1, 5, 13, 15, 59, 60, 100, 250, 400] {
      try restore(old, in: directory)
      for record in records {
        let path = directory.segment(record.segment)
        var bytes = try readFile(path)
        let count = min(part, record.bytes.count)
        bytes.replaceSubrange(
          record.offset..<record.offset + count, with: record.bytes.prefix(count))
        try writeFile(path, bytes)
      }
      try writeFile(directory.path + "/log/erasure.redo", redo)
      let left = directory.snapshot()
      #expect(try LogVerifier(directory: directory.path).verify()?.isFine == true)
      #expect(directory.snapshot() == left)
      let recovered = try directory.open()
      #expect(try recovered.everything() == expected)
      #expect(recovered.statistics.recoveryNote == nil)
      recovered.close()
      #expect(!directory.snapshot().keys.contains("/log/erasure.redo"))
    }
  }

  @Test("A torn redo file goes; one whose records are not there is an error that changes nothing")
  func strangeRedoFiles() throws {
    let directory = TemporaryDirectory()
    let store = try directory.open()
    fill(store, batches: 5)
    let events = try store.everything()
    let log = store.logID
    store.close()
    let path = directory.path + "/log/erasure.redo"
    let record = ReplacedRecord(segment: 1, offset: 5000, bytes: try wholeRecord(directory))
    let redo = RedoFile(log: log, records: [record]).encoded()
    for count in [0, 1, 47, 48, 64, redo.count - 1] {
      try writeFile(path, Array(redo[..<count]))
      let opened = try directory.open()
      #expect(try opened.everything() == events)
      opened.close()
      #expect(!directory.snapshot().keys.contains("/log/erasure.redo"))
    }
    try writeFile(path, redo)
    let before = directory.snapshot()
    #expect(throws: EventLogError.self) { try directory.open() }
    #expect(directory.snapshot() == before)
    // A repair finds the log sound, but for this file.
    #expect(throws: RepairError.self) {
      try LogRepairer(directory: directory.path).repair(.cut)
    }
    #expect(!directory.snapshot().keys.contains("/log/erasure.redo"))
    // Of another log: somebody put it there.
    try writeFile(path, RedoFile(log: .random(), records: [record]).encoded())
    let opened = try directory.open()
    #expect(try opened.everything() == events)
    opened.close()
  }

  @Test("Whatever bytes a redo file has, it is whole or nothing", arguments: SeededRandom.seeds(4))
  func anyBytes(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let directory = TemporaryDirectory()
    let store = try directory.open()
    fill(store, batches: 2)
    store.close()
    let record = ReplacedRecord(segment: 1, offset: 4128, bytes: try wholeRecord(directory))
    let good = RedoFile(log: .random(), records: [record, record]).encoded()
    #expect(good.withRawBytes { RedoFile($0) }?.records == [record, record])
    for _ in 0..<2000 {
      var bytes = good
      let place = Int.random(in: bytes.indices, using: &random)
      switch Int.random(in: 0..<3, using: &random) {
      case 0: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      case 1: bytes.removeSubrange(place...)
      default: bytes.append(contentsOf: bytes[place...])
      }
      // A forged checksum must not lead anywhere either.
      if random.chance(oneIn: 2), bytes.count > 16 {
        let checksum = bytes.withRawBytes { CRC32C.checksum($0.part(16..<bytes.count)) }
        bytes.withUnsafeMutableBytes { $0.put(checksum, at: 12) }
      }
      if let read = bytes.withRawBytes({ RedoFile($0) }) { #expect(read.encoded() == bytes) }
    }
  }

  @Test("Readers meet each record old or new, appends go on", arguments: SeededRandom.seeds(2))
  func concurrently(seed: UInt64) throws {
    let directory = TemporaryDirectory()
    let store = try directory.open()
    fill(store, batches: 100)
    let before = try store.everything()
    let isDone = Lock(false)
    let faults = Lock<[String]>([])
    let readers = (0..<2).map { number in
      NamedThread("reader \(number)") {
        while !isDone.withLock({ $0 }) {
          do {
            let events = try store.everything()
            for (event, old) in zip(events, before)
            where event != old && event != old.replaced(by: blanked(old)) {
              faults.withLock { $0.append("position \(event.position)") }
            }
          } catch {
            faults.withLock { $0.append("\(error)") }
          }
        }
      }
    }
    let appender = NamedThread("appender") {
      while !isDone.withLock({ $0 }) {
        store.appendAndWait(AppendBatch(stream("more"), [200]))
      }
    }
    var random = SeededRandom(seed: seed)
    var rest = before.shuffled(using: &random)
    while !rest.isEmpty {
      let count = min(Int.random(in: 1...7, using: &random), rest.count)
      try store.redact(rest.prefix(count).map(blanked))
      rest.removeFirst(count)
    }
    isDone.withLock { $0 = true }
    for thread in readers + [appender] { thread.join() }
    #expect(faults.withLock { $0 } == [])
    let after = Array(try store.everything().prefix(before.count))
    #expect(after == before.map { $0.replaced(by: blanked($0)) })
    store.close()
    let again = try directory.open()
    #expect(Array(try again.everything().prefix(before.count)) == after)
    again.close()
  }

  // MARK: Files by hand

  private func replacedRecords(
    old: [String: [UInt8]], new: [String: [UInt8]], _ events: [RecordedEvent]
  ) throws -> [ReplacedRecord] {
    var records: [ReplacedRecord] = []
    for (name, bytes) in new.sorted(by: { $0.key < $1.key }) {
      guard let first = FileFormat.firstPosition(ofSegment: String(name.dropFirst(5))) else {
        continue
      }
      var offset = SegmentHeader.size
      while offset + RecordFrame.size < bytes.count {
        let frame = try? Array(bytes[offset...]).withRawBytes { (bytes) throws(FrameFault) in
          try RecordFrame(bytes)
        }
        guard let frame else {
          offset += 1
          continue
        }
        if events.contains(where: { $0.position.rawValue == frame.position }) {
          records.append(
            ReplacedRecord(
              segment: first, offset: offset, bytes: Array(bytes[offset..<offset + frame.length])))
        }
        offset += frame.length
      }
    }
    #expect(records.count == events.count)
    return records
  }

  private func wholeRecord(_ directory: TemporaryDirectory) throws -> [UInt8] {
    let bytes = try readFile(directory.segment(1))
    let start = SegmentHeader.size + BatchHeader.size
    let frame = try Array(bytes[start...]).withRawBytes { (bytes) throws(FrameFault) in
      try RecordFrame(bytes)
    }
    return Array(bytes[start..<start + frame.length])
  }

  private func restore(_ files: [String: [UInt8]], in directory: TemporaryDirectory) throws {
    for (name, bytes) in files { try writeFile(directory.path + name, bytes) }
  }
}

/// The event's text as spaces.
private func blanked(_ event: RecordedEvent) -> Redaction {
  let data = [UInt8(ascii: "{")] + Array(repeating: 0x20, count: event.data.count - 2) + [0x7D]
  return Redaction(
    position: event.position, data: data, meta: EventMeta.erasingContent(event.meta))
}

extension RecordedEvent {
  fileprivate func replaced(by redaction: Redaction) -> RecordedEvent {
    RecordedEvent(
      position: position, stream: stream, revision: revision, type: type, schema: schema,
      time: time, data: redaction.data[...], meta: redaction.meta[...])
  }
}
