import ActorRuntime
import Digests
import EventSourcing
import FastJSON
import SwipestreamTesting
import Testing

@testable import EventLog

@Suite("Repair")
struct RepairTests {
  private let log: SealedLog
  private var parts: [SealedLog.Part] { log.parts }

  init() throws {
    log = try SealedLog()
    #expect(log.parts.count == 4)
  }

  private var repairer: LogRepairer { LogRepairer(directory: log.directory.path) }

  /// Repairs, and checks that the log is sound then and holds what it should.
  ///
  /// - Parameters:
  ///   - lost: positions that have become `log.lost`.
  ///   - kept: how many of the events are there still, from the front.
  ///   - unreadable: how many of the others could not be read.
  private func repair(
    _ choice: RepairChoice, lost: Set<UInt64> = [], kept: Int? = nil, unreadable: Int = 0
  ) throws {
    let outcome = try repairer.repair(choice)
    let kept = kept ?? log.events.count
    #expect(outcome.head == UInt64(kept) + 1)
    #expect(outcome.lost == lost.count)
    #expect(outcome.removed == log.events.count - kept - unreadable)
    let report = try log.verify()
    #expect(report.damages == [])
    let store = try log.directory.open(storage: log.storage)
    defer { store.close() }
    let events = try store.everything()
    #expect(events.last?.type == "log.repaired" && events.count == kept + 1)
    for (event, before) in zip(events, log.events.prefix(kept)) {
      if lost.contains(event.position.rawValue) {
        #expect(event.type == "log.lost" && event.schema == 1)
      } else {
        #expect(event == before)
      }
    }
    try expectContiguous(store, events)
    #expect(store.appendAndWait(AppendBatch(stream("s0"), [1])).error == nil)
  }

  /// Every stream has its revisions one by one, and can be read by itself.
  private func expectContiguous(_ store: any EventStore, _ events: [RecordedEvent]) throws {
    for (stream, events) in Dictionary(grouping: events, by: \.stream) {
      #expect(events.map(\.revision.rawValue) == Array(1...UInt64(events.count)), "\(stream)")
      let read = try store.read(stream, after: .none, limit: ReadLimit(events: 10_000))
      #expect(read == events)
    }
  }

  private func flip(_ position: UInt64, at offset: Int = 70) throws {
    let part = try #require(parts.last { $0.first <= position })
    let record = try #require(part.records.first { $0.position == position })
    var bytes = try readFile(log.directory.segment(part.first))
    bytes[record.bytes.lowerBound + offset] ^= 1
    try log.write(bytes, to: part)
  }

  @Test("Without a choice it advises and changes nothing")
  func advice() throws {
    #expect(try repairer.advice().report.isFine)
    #expect(throws: RepairError.sound) { try repairer.repair(.fill) }
    try flip(parts[1].first + 5)
    let before = log.directory.snapshot()
    let advice = try repairer.advice()
    #expect(advice.report.damages.count == 1 && advice.lost == 1 && !advice.canAcceptHead)
    #expect(advice.cutHead == parts[1].first + 3)
    #expect(advice.removedByCut == log.events.count - Int(advice.cutHead) - 1)
    #expect(throws: RepairError.self) { try repairer.repair(.acceptHead) }
    #expect(log.directory.snapshot() == before)
  }

  @Test("Filling loses what cannot be read, whether indexes tell of it or not")
  func fill() throws {
    for keepsIndexes in [true, false] {
      for part in parts { try log.restore(part) }
      let last = UInt64(log.events.count)
      let lost: Set<UInt64> = [
        1, 6, 7, parts[1].first, parts[2].first - 1, parts[3].first + 1, last,
      ]
      for position in lost { try flip(position) }
      if !keepsIndexes {
        for part in parts.dropLast() { try? FileStorage().remove(log.directory.index(part.first)) }
      }
      try repair(.fill, lost: lost)
      try resetLog()
    }
  }

  /// Puts the log back as it was before damage.
  private func resetLog() throws {
    let storage = FileStorage()
    for name in try storage.list(log.directory.path + "/log") {
      try storage.remove(log.directory.path + "/log/" + name)
    }
    for part in parts { try log.restore(part) }
    try? storage.remove(log.directory.path + "/head")
  }

  @Test("Lost events keep stream and revision where anything tells of them")
  func names() throws {
    let last = UInt64(log.events.count)
    for position in [6, parts[3].first + 1, last] { try flip(position) }
    _ = try repairer.repair(.fill)
    let store = try log.directory.open(storage: log.storage)
    defer { store.close() }
    let events = try store.everything()
    for position in [6, parts[3].first + 1, last] {
      let index = Int(position) - 1
      #expect(events[index].stream == log.events[index].stream)
      #expect(events[index].revision == log.events[index].revision)
    }
  }

  @Test("Damage that loses nothing is written anew: headers, frames, trailers, checksums")
  func lossless() throws {
    let batch = parts[1].batches[1]
    let record = batch.records[0].bytes
    let places = [
      0, 40, 56, 64, 90, 4092, batch.bytes.lowerBound + 8, batch.bytes.upperBound - 2,
      record.lowerBound + 4, record.lowerBound + 8,
    ]
    for place in places {
      try log.change(parts[1]) { $0[place] ^= 4 }
      try repair(.fill)
      try resetLog()
    }
    try log.change(parts[0]) { $0 += [1, 2, 3] }
    try log.change(parts[2]) { $0[5] ^= 1 }
    try repair(.fill)
  }

  @Test("Missing segments, the first or a middle one, are filled")
  func missing() throws {
    for index in 0..<3 {
      try FileStorage().remove(log.directory.segment(parts[index].first))
      try? FileStorage().remove(log.directory.index(parts[index].first))
      try repair(.fill, lost: Set(parts[index].first..<parts[index + 1].first))
      try resetLog()
    }
  }

  @Test("A lost end is filled, or accepted")
  func lostEnd() throws {
    try FileStorage().remove(log.directory.segment(parts[3].first))
    let advice = try repairer.advice()
    #expect(advice.canAcceptHead)
    try repair(.fill, lost: Set(parts[3].first...UInt64(log.events.count)))
    try resetLog()
    try FileStorage().remove(log.directory.segment(parts[3].first))
    let known = KnownHead(log: log.log, position: UInt64(log.events.count))
    let outcome = try LogRepairer(directory: log.directory.path, knownHeads: [known])
      .repair(.acceptHead)
    #expect(outcome.head == parts[3].first)
    #expect(try log.verify().isFine)
    try log.directory.open().close()
  }

  @Test("A cut ends the log with the last whole command before the damage")
  func cut() throws {
    for index in parts.indices {
      let batch = parts[index].batches[1]
      try flip(batch.records[3].position)
      // Each batch's first command has three events.
      try repair(.cut, kept: Int(batch.records[2].position), unreadable: 1)
      try resetLog()
      try flip(batch.records[1].position)
      try repair(.cut, kept: Int(batch.records[0].position) - 1, unreadable: 1)
      try resetLog()
    }
    try log.change(parts[2]) { $0[3] ^= 1 }
    try repair(.cut, kept: Int(parts[2].first) - 1)
    try resetLog()
    try log.change(parts[0]) { $0[3] ^= 1 }
    try repair(.cut, kept: 0)
  }

  @Test("What is taken out is kept beside the log, with a report")
  func kept() throws {
    try flip(parts[1].first + 1)
    let damaged = try readFile(log.directory.segment(parts[1].first))
    let outcome = try repairer.repair(.cut)
    let kept = log.directory.path + "/" + (try #require(outcome.kept))
    #expect(try readFile(kept + "/" + parts[1].name) == damaged)
    #expect(try readFile(kept + "/" + parts[2].name) == parts[2].bytes)
    #expect(try readFile(kept + "/" + parts[3].name) == parts[3].bytes)
    let parser = JSONParser()
    defer { withExtendedLifetime(parser) {} }
    let report = try parser.parse(try readFile(kept + "/report.json"))
    #expect(report["choice"]?.string == "cut")
  }

  @Test("While the log is served it is not repaired")
  func served() throws {
    let store = try log.directory.open(storage: log.storage)
    try flip(3)
    #expect(throws: RepairError.log(.inUse(directory: log.directory.path))) {
      try repairer.repair(.fill)
    }
    store.close()
  }

  @Test("Random damage is repaired either way", arguments: SeededRandom.seeds(8))
  func random(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    for _ in 0..<6 {
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let part = parts[Int.random(in: 0..<parts.count, using: &random)]
        let start = Int.random(in: 0..<part.end, using: &random)
        let count = [1, 1, 40, 900].randomElement(using: &random) ?? 1
        let isZero = Bool.random(using: &random)
        var bytes = try readFile(log.directory.segment(part.first))
        for index in start..<min(start + count, bytes.count) {
          bytes[index] = isZero ? 0 : UInt8.random(in: 0...255, using: &random)
        }
        try log.write(bytes, to: part)
      }
      let before = try log.verify()
      if before.isFine { continue }
      let isFill = Bool.random(using: &random)
      do {
        let outcome = try repairer.repair(isFill ? .fill : .cut)
        #expect(try log.verify().damages == [], "seed \(seed)")
        let store = try log.directory.open(storage: log.storage)
        let events = try store.everything()
        #expect(events.count == Int(outcome.head))
        if isFill { #expect(events.count >= log.events.count + 1, "seed \(seed)") }
        for (event, old) in zip(events.dropLast(), log.events) where event.type != "log.lost" {
          #expect(event == old, "seed \(seed)")
        }
        try expectContiguous(store, events)
        store.close()
      } catch {
        Issue.record("seed \(seed): \(before.damages): \(error)")
      }
      try resetLog()
    }
  }
}
