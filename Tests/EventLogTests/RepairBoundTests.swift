import EventSourcing
import SwipestreamTesting
import Testing

@testable import EventLog

@Suite("Bounds of a repair")
struct RepairBoundTests {
  private let log: SealedLog

  init() throws { log = try SealedLog() }

  private var path: String { log.directory.path }
  private var repairer: LogRepairer { LogRepairer(directory: path) }
  private var head: UInt64 { UInt64(log.events.count) }

  private func mark(_ head: UInt64) throws {
    try writeFile(path + "/head", HeadMark(log: log.log, head: head).encoded())
  }

  private func expectNoFill(lost: UInt64, canAcceptHead: Bool) throws {
    let advice = try repairer.advice()
    #expect(advice.lost == Int(lost))
    #expect(!advice.canFill && advice.canAcceptHead == canAcceptHead)
    let before = log.directory.snapshot()
    let error = RepairError.tooMuchLost(positions: Int(lost), canAcceptHead: canAcceptHead)
    #expect(throws: error) { try repairer.repair(.fill) }
    #expect("\(error)".contains("\(lost) positions"))
    #expect("\(error)".contains("--cut") && "\(error)".contains("--accept-head") == canAcceptHead)
    #expect(log.directory.snapshot() == before)
  }

  @Test(
    "A head mark far ahead is refused to be filled, and the present end can be accepted",
    arguments: [10_010_001, 1 << 40, 1 << 62] as [UInt64])
  func farMark(position: UInt64) throws {
    try mark(position)
    try expectNoFill(lost: position - head, canAcceptHead: true)
    #expect(try repairer.repair(.acceptHead).head == head + 1)
    #expect(try log.verify().damages == [])
  }

  @Test("A mark beyond what any log can reach counts for nothing")
  func impossibleMark() throws {
    try mark(FileFormat.greatestPosition + 1)
    #expect(try repairer.advice().report.isFine)
    let known = KnownHead(log: log.log, position: FileFormat.greatestPosition + 1)
    #expect(try LogRepairer(directory: path, knownHeads: [known]).advice().report.isFine)
  }

  @Test("The limit is the last number that is filled")
  func limit() throws {
    try mark(head + UInt64(RepairPlan.fillLimit))
    #expect(try repairer.advice().canFill)
    try mark(head + UInt64(RepairPlan.fillLimit) + 1)
    #expect(try !repairer.advice().canFill)
  }

  @Test("Where no segment is left, a mark far ahead is refused to be filled")
  func noSegments() throws {
    for part in log.parts { try FileStorage().remove(log.directory.segment(part.first)) }
    try mark(FileFormat.greatestPosition)
    try expectNoFill(lost: FileFormat.greatestPosition, canAcceptHead: true)
  }

  @Test("A file with the name of a far segment is cut off, not led up to")
  func farName() throws {
    let far = FileFormat.greatestPosition
    try writeFile(log.directory.segment(far), [1, 2, 3])
    try expectNoFill(lost: far - 1 - head, canAcceptHead: false)
    #expect(try repairer.repair(.cut).head == head + 1)
    #expect(try log.verify().damages == [])
    try FileStorage().remove(path + "/head")
    try writeFile(log.directory.segment(far + 1), [1, 2, 3])
    let damages = try log.verify().damages
    #expect(damages.map(\.reason) == ["this is no name of a segment"])
  }

  @Test("A segment that would grow too large is made as several")
  func largeSegments() throws {
    for part in log.parts {
      try log.change(part) { $0[part.records[4].bytes.lowerBound + 70] ^= 1 }
    }
    try FileStorage().remove(log.directory.segment(log.parts[1].first))
    var repairer = repairer
    repairer.segmentBytes = SegmentHeader.size + 2048
    let outcome = try repairer.repair(.fill)
    #expect(outcome.lost == 3 + log.parts[1].records.count)
    #expect(try log.verify().damages == [])
    let names = try FileStorage().list(path + "/log").sorted()
    #expect(names.count > 8)
    for name in names.dropLast() {
      #expect(try readFile(path + "/log/" + name).count <= repairer.segmentBytes, "\(name)")
    }
    let store = try log.directory.open()
    defer { store.close() }
    let events = try store.everything()
    #expect(events.count == log.events.count + 1)
    for (event, before) in zip(events, log.events) where event.type != "log.lost" {
      #expect(event == before)
    }
  }
}
