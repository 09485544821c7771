import ActorRuntime
import Digests
import EventSourcing
import SwipestreamTesting
import Testing

@testable import EventLog

@Suite("Verification")
struct VerificationTests {
  private let log: SealedLog
  private var parts: [SealedLog.Part] { log.parts }

  init() throws {
    log = try SealedLog()
    #expect(log.parts.count == 4)
  }

  private func expectFine() throws {
    #expect(try log.verify().damages == [])
  }

  /// The one damage that is found.
  private func damage() throws -> LogDamage {
    let report = try log.verify()
    #expect(report.damages.count == 1, "\(report.damages)")
    return try #require(report.damages.first)
  }

  @Test("A whole log is fine, its seal is what the newest header says, and nothing is changed")
  func fine() throws {
    let before = log.directory.snapshot()
    let report = try log.verify()
    #expect(report.isFine)
    #expect(report.log == log.log)
    #expect(report.head == UInt64(log.events.count))
    #expect(report.records == log.events.count)
    #expect(report.segments == parts.count)
    #expect(report.bytes == parts.reduce(0) { $0 + $1.end })
    #expect(report.unfinished == nil && report.indexesToRebuild == 0)
    let newest = try parts[3].bytes.withRawBytes { try SegmentHeader($0) }
    #expect(
      report.sealed == LogReport.Seal(position: parts[3].first - 1, digest: newest.previousDigest))
    #expect(log.directory.snapshot() == before)
    let late = try log.verify(from: parts[2].first + 1)
    #expect(late.isFine && late.segments == 2 && late.head == report.head)
    #expect(late.sealed == report.sealed)
  }

  @Test("One flipped bit at every structural place is named with file, offset and positions")
  func structure() throws {
    let headerPlaces = [0, 8, 12, 16, 32, 40, 48, 56, 64, 95, 96, 2000, 4091, 4092, 4095]
    for part in parts {
      for offset in headerPlaces {
        try log.change(part) { $0[offset] ^= 0x10 }
        let found = try log.verify().damages
        #expect(found.contains { $0.file == part.name && $0.offset == 0 && $0.lost == nil })
      }
      for batch in [part.batches[0], part.batches[part.batches.count / 2], part.batches.last!] {
        try expectBatchDamageNamed(batch, in: part)
      }
      try log.restore(part)
    }
    try expectFine()
  }

  private func expectBatchDamageNamed(
    _ batch: (bytes: Range<Int>, records: [SealedLog.Place]), in part: SealedLog.Part
  ) throws {
    let positions = batch.records[0].position...batch.records.last!.position
    let trailer = batch.bytes.upperBound - BatchTrailer.size
    let frame = [0, 4, 8, 16, 24, 28].map { batch.bytes.lowerBound + $0 }
    for offset in frame + [trailer, trailer + 4, trailer + 8, trailer + 11] {
      try log.change(part) { $0[offset] ^= 0x01 }
      let damage = try damage()
      #expect(damage.file == part.name && damage.offset == batch.bytes.lowerBound)
      #expect(damage.positions == positions && damage.lost == nil)
    }
    for record in batch.records {
      let offsets = [
        0, 4, 8, 12, 14, 15, 16, 24, 32, 40, 48, 52, 56, 58, 60, record.bytes.count - 1,
      ]
      for offset in offsets {
        try log.change(part) { $0[record.bytes.lowerBound + offset] ^= 0x02 }
        let damage = try damage()
        #expect(damage.file == part.name)
        #expect(damage.positions?.contains(record.position) == true)
        // Of the two checksums one is left; what they are of is as it was.
        let isLost = ![4, 8].contains(offset)
        #expect(damage.lost == (isLost ? record.position...record.position : nil))
        if isLost { #expect(damage.offset == record.bytes.lowerBound, "\(offset)") }
      }
    }
  }

  @Test(
    "A flipped bit anywhere, reserved room included, is found in its file",
    arguments: SeededRandom.seeds(5))
  func anywhere(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    for _ in 0..<60 {
      let part = parts[Int.random(in: 0..<parts.count, using: &random)]
      let offset = Int.random(in: 0..<part.bytes.count, using: &random)
      let bit = UInt8(1) << UInt8.random(in: 0..<8, using: &random)
      let before = part.bytes[offset]
      try log.change(part) { $0[offset] ^= bit }
      let found = try log.verify().damages
      #expect(found.count == 1, "seed \(seed): \(part.name) at \(offset), bit \(bit): \(found)")
      #expect(found.first?.file == part.name)
      if let damage = found.first { #expect(damage.offset <= offset) }
      #expect(before == part.bytes[offset])
      try log.restore(part)
    }
    try expectFine()
  }

  @Test("All damage is named, behind one place too")
  func everywhere() throws {
    for part in parts {
      let second = part.batches[1].records[2]
      let last = part.batches.last!.records[0]
      try log.change(part) { bytes in
        bytes[second.bytes.lowerBound + 70] ^= 1
        bytes[last.bytes.lowerBound + 70] ^= 1
      }
    }
    let report = try log.verify()
    #expect(report.damages.map(\.file) == parts.flatMap { [$0.name, $0.name] })
    let lost = parts.flatMap { [$0.batches[1].records[2], $0.batches.last!.records[0]] }
    #expect(report.damages.map(\.lost) == lost.map { $0.position...$0.position })
    #expect(report.damages.map(\.offset) == lost.map(\.bytes.lowerBound))
    #expect(report.records == log.events.count - lost.count)
    #expect(report.head == UInt64(log.events.count))
  }

  @Test("A run of zeros over several batches costs what it covers, and no more")
  func zeros() throws {
    let part = parts[1]
    let first = part.batches[2]
    let last = part.batches[4]
    try log.change(part) { bytes in
      for index in first.bytes.lowerBound..<last.records[1].bytes.lowerBound { bytes[index] = 0 }
    }
    let damage = try damage()
    #expect(damage.lost == first.records[0].position...last.records[0].position)
    #expect(damage.offset == first.bytes.lowerBound)
  }

  @Test("Bytes taken out or put in are found")
  func shifted() throws {
    let part = parts[0]
    let record = part.batches[1].records[1]
    try log.change(part) { $0.removeSubrange(record.bytes) }
    #expect(try damage().lost == record.position...record.position)
    try log.change(part) { $0.insert(contentsOf: [1, 2, 3], at: part.batches[2].bytes.lowerBound) }
    #expect(try damage().lost == nil)
    try log.change(part) { $0.insert(contentsOf: [1, 2, 3], at: record.bytes.lowerBound) }
    #expect(try damage().lost == nil)
    try log.change(part) { $0 += [UInt8](repeating: 0, count: 700) }
    #expect(try damage().offset == part.end)
    try log.change(part) { $0 += Array("garbage".utf8) }
    #expect(try damage().offset == part.end)
    try log.change(part) { $0.removeSubrange(part.batches.last!.records[2].bytes.lowerBound...) }
    let last = part.batches.last!.records
    #expect(try damage().lost == last[2].position...last.last!.position)
  }

  @Test("Missing, strange and swapped files are named")
  func files() throws {
    let storage = FileStorage()
    for index in parts.indices {
      let part = parts[index]
      try storage.remove(log.directory.segment(part.first))
      let damage = try damage()
      let next = index + 1 < parts.count ? parts[index + 1].first : UInt64(log.events.count) + 1
      #expect(damage.lost == part.first...next - 1)
      try log.restore(part)
    }
    try writeFile(log.directory.path + "/log/1.seg", [1])
    #expect(try damage().file == "1.seg")
    try storage.remove(log.directory.path + "/log/1.seg")
    let other = try SealedLog()
    try log.write(other.parts[1].bytes, to: parts[1])
    #expect(
      try log.verify().damages.contains {
        $0.file == parts[1].name && $0.reason.contains("another log")
      })
    try log.write(parts[2].bytes, to: parts[1])
    #expect(try log.verify().damages.contains { $0.file == parts[1].name })
    try log.restore(parts[1])
    for part in parts { try storage.remove(log.directory.segment(part.first)) }
    #expect(try damage().lost == 1...UInt64(log.events.count))
    try storage.remove(log.directory.path + "/head")
    #expect(throws: EventLogError.noLog(directory: log.directory.path)) { try log.verify() }
  }

  @Test("Text changed with all its checksums made right does not fit the chain")
  func forged() throws {
    let part = parts[1]
    let batch = part.batches[1]
    try log.change(part) { bytes in Self.forge(batch, in: &bytes) }
    let found = try damage()
    #expect(found.file == part.name && found.lost == nil)
    #expect(found.positions == part.first...parts[2].first - 1)
  }

  /// Changes a letter, then every checksum over it up to the batch's trailer.
  private static func forge(
    _ batch: (bytes: Range<Int>, records: [SealedLog.Place]), in bytes: inout [UInt8]
  ) {
    let record = batch.records[0].bytes
    bytes.withUnsafeMutableBytes { bytes in
      let length = Int(bytes[record.lowerBound + 15])
      bytes[record.lowerBound + RecordFrame.size + length + 40] ^= 1
      let covered = UnsafeRawBufferPointer(
        rebasing: bytes[record.lowerBound + 12..<record.upperBound])
      let checksum = CRC32C.checksum(covered)
      bytes.put(checksum, at: record.lowerBound + 4)
      bytes.put(checksum, at: record.lowerBound + 8)
      var chain: UInt32 = 0
      for place in batch.records {
        let start = place.bytes.lowerBound
        chain = CRC32C.checksum(
          UnsafeRawBufferPointer(bytes).part(start + 8..<start + 12), seed: chain)
      }
      let whole = UnsafeMutableRawBufferPointer(rebasing: bytes[batch.bytes])
      BatchTrailer.write(chain: chain, length: UInt32(batch.bytes.count), to: whole)
    }
  }

  @Test("An unfinished write is a note, unless the mark knows of it")
  func unfinished() throws {
    let part = parts[3]
    let last = part.batches.last!
    try log.change(part) { bytes in
      for index in last.bytes.lowerBound + 512..<bytes.count { bytes[index] = 0 }
    }
    let found = try damage()
    #expect(found.offset >= last.bytes.lowerBound)
    #expect(found.lost.map { $0.upperBound } == UInt64(log.events.count))
    try FileStorage().remove(log.directory.path + "/head")
    let report = try log.verify()
    #expect(report.isFine)
    #expect(report.unfinished == LogPlace(file: part.name, offset: last.bytes.lowerBound))
    #expect(report.head == last.records[0].position - 1)
  }

  @Test("A file that cannot be read is named, and the others are verified")
  func unreadable() throws {
    log.storage.fail(.read, of: parts[1].name, after: 1, times: .max)
    var verifier = LogVerifier(directory: log.directory.path, storage: log.storage)
    verifier.pauseMilliseconds = 0
    let report = try #require(try verifier.verify())
    #expect(report.damages.map(\.file) == [parts[1].name])
    #expect(report.damages[0].lost == parts[1].first...parts[2].first - 1)
    #expect(report.damages[0].reason.contains("cannot read"))
  }

  @Test("It can be ended")
  func ended() throws {
    #expect(try log.verifier.verify { _ in false } == nil)
  }

  @Test("While a service writes, a log is fine at every look")
  func serving() throws {
    let store = try log.directory.open(storage: log.storage)
    let isDone = Lock(false)
    let writer = NamedThread("test-writer") {
      for index in 0..<400 {
        store.appendAndWait(AppendBatch(stream("s\(index % 5)"), [100, 700]))
      }
      isDone.withLock { $0 = true }
    }
    var looks = 0
    while !isDone.withLock({ $0 }) || looks < 3 {
      let report = try #require(try LogVerifier(directory: log.directory.path).verify())
      #expect(report.damages == [])
      looks += 1
    }
    writer.join()
    store.close()
    #expect(try log.verify().head == UInt64(log.events.count) + 800)
  }
}
