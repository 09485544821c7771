import EventSourcing
import Glibc
import SwipestreamTesting
import Testing

@testable import EventLog

@Suite("Snapshot files")
struct SnapshotFileTests {
  private let directory = TemporaryDirectory()
  private var snapshots: SnapshotFiles {
    SnapshotFiles(storage: FileStorage(), directory: directory.path + "/snapshots")
  }

  private func snapshot(
    _ name: String = "a", revision: UInt64 = 7, state: [UInt8] = Array(0..<100)
  ) -> Snapshot {
    Snapshot(
      stream: stream(name), revision: Revision(revision), position: GlobalPosition(9),
      time: Timestamp(microseconds: -2),
      log: LogID(bytes: Array(1...16)), version: 3, state: state)
  }

  private func path(_ name: String) -> String {
    directory.path + "/snapshots/" + FileFormat.snapshotName(of: stream(name))
  }

  @Test("What was saved is loaded, the newest only, each stream's own")
  func roundTrip() throws {
    #expect(try snapshots.load(stream("a")) == nil)
    for revision: UInt64 in 1...3 {
      try snapshots.save(snapshot(revision: revision), removals: 0)
      try snapshots.save(snapshot("b", revision: revision, state: []), removals: 0)
    }
    #expect(try snapshots.load(stream("a")) == snapshot(revision: 3))
    #expect(try snapshots.load(stream("b")) == snapshot("b", revision: 3, state: []))
    #expect(try FileStorage().list(directory.path + "/snapshots").count == 2)
  }

  @Test("Where no snapshot can be, none is to be removed")
  func obstacles() throws {
    try writeFile(directory.path + "/snapshots", [1])
    try snapshots.remove(stream("a"))
    #expect(try snapshots.load(stream("a")) == nil)
    try FileStorage().remove(directory.path + "/snapshots")
    try FileStorage().createDirectory(path("a"))
    try snapshots.remove(stream("a"))
    #expect(try snapshots.load(stream("a")) == nil)
  }

  @Test("The bytes are golden")
  func golden() throws {
    let name = FileFormat.snapshotName(of: stream("a"))
    #expect(name == "f77fa0212e84697e526f4e7235865f58.snap")
    let bytes = try #require(SnapshotImage.bytes(of: snapshot(state: [0xAA, 0xBB])))
    let expected: [UInt8] =
      Array("SWIPESNP".utf8) + [1, 0, 0, 0, 3, 0, 0, 0] + Array(1...16)
      + [
        7, 0, 0, 0, 0, 0, 0, 0, 9, 0, 0, 0, 0, 0, 0, 0, 0xFE, 255, 255, 255, 255, 255, 255, 255, 2,
        0, 0, 0, 0, 0, 0, 0, 6, 0, 0, 0,
      ]
    #expect(Array(bytes[..<68]) == expected)
    #expect(Array(bytes[68..<72]) == [0x7B, 0x84, 0x1E, 0x49])
    #expect(Array(bytes[72...]) == Array("list/a".utf8) + [0xAA, 0xBB])
  }

  @Test("Any flipped bit, any cut and any noise make it worthless, not wrong")
  func damage() throws {
    let good = try #require(SnapshotImage.bytes(of: snapshot()))
    try snapshots.save(snapshot(), removals: 0)
    for bit in 0..<good.count * 8 {
      var bytes = good
      bytes[bit / 8] ^= 1 << UInt8(bit % 8)
      try writeFile(path("a"), bytes)
      #expect(throws: SnapshotError.self, "bit \(bit)") { try snapshots.load(stream("a")) }
    }
    for length in 0..<good.count {
      try writeFile(path("a"), Array(good[..<length]))
      #expect(throws: SnapshotError.self, "\(length) bytes") { try snapshots.load(stream("a")) }
    }
    try writeFile(path("a"), good + [0])
    #expect(throws: SnapshotError.self) { try snapshots.load(stream("a")) }
    try snapshots.save(snapshot(), removals: 0)
    #expect(try snapshots.load(stream("a")) == snapshot())
  }

  @Test("Random bytes are no snapshot", arguments: SeededRandom.seeds(5))
  func noise(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    for _ in 0..<500 {
      var bytes = (0..<Int.random(in: 0...200, using: &random)).map { _ in
        UInt8.random(in: .min ... .max, using: &random)
      }
      if random.chance(oneIn: 2) {
        bytes.replaceSubrange(
          0..<min(12, bytes.count), with: Array("SWIPESNP".utf8) + [1, 0, 0, 0])
      }
      #expect(throws: FrameFault.self, "seed \(seed)") { try SnapshotImage.snapshot(bytes) }
    }
  }

  @Test("Another stream's file under a stream's name is not believed")
  func swapped() throws {
    try snapshots.save(snapshot("a"), removals: 0)
    try FileStorage().rename(path("a"), to: path("b"))
    #expect(throws: SnapshotError.self) { try snapshots.load(stream("b")) }
  }

  @Test("A removal takes the file, what a crash left, and what is being made")
  func removal() throws {
    let snapshots = snapshots
    let before = snapshots.removalCount
    try snapshots.remove(stream("a"))
    try snapshots.save(snapshot("b"), removals: snapshots.removalCount)
    try writeFile(directory.path + "/snapshots/new.tmp", [1, 2, 3])
    try snapshots.remove(stream("b"))
    #expect(try FileStorage().list(directory.path + "/snapshots") == [])
    #expect(throws: SnapshotError.self) { try snapshots.save(snapshot("b"), removals: before) }
    #expect(try FileStorage().list(directory.path + "/snapshots") == [])
  }

  @Test("Without a directory, or with a file in its place, there are just none")
  func noDirectory() throws {
    let path = directory.path + "/snapshots"
    try writeFile(path, [])
    #expect(try snapshots.load(stream("a")) == nil)
    #expect(throws: SnapshotError.self) { try snapshots.save(snapshot(), removals: 0) }
    try FileStorage().remove(path)
    try snapshots.save(snapshot(), removals: 0)
    #expect(try snapshots.load(stream("a")) == snapshot())
  }

  @Test("A full disk is an error, leaves the former snapshot and nothing half-made")
  func fullDisk() throws {
    try snapshots.save(snapshot(revision: 1), removals: 0)
    let storage = FaultyStorage()
    let failing = SnapshotFiles(storage: storage, directory: directory.path + "/snapshots")
    storage.fail(.write, of: ".tmp", code: ENOSPC, partialWrite: 5)
    #expect(throws: SnapshotError.self) {
      try failing.save(snapshot(revision: 2), removals: 0)
    }
    #expect(try snapshots.load(stream("a")) == snapshot(revision: 1))
    #expect(try FileStorage().list(directory.path + "/snapshots").count == 1)
  }
}
