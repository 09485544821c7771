import EventLog
import Glibc
import SwipestreamTesting
import Testing

@Suite("The simulated disk")
struct SimulatedStorageTests {
  private static let path = "/d/file"

  /// A file of eight sectors of ones, durable, open for writing.
  private func made(_ storage: SimulatedStorage) throws -> any LogFile {
    try storage.createDirectory("/d")
    let file = try storage.open(Self.path, .create)
    try write([UInt8](repeating: 1, count: 4096), to: file)
    try file.syncData()
    try storage.syncDirectory("/d")
    return file
  }

  private func write(_ bytes: [UInt8], to file: any LogFile, at offset: Int = 0) throws {
    try bytes.withUnsafeBytes { try file.write($0, at: offset) }
  }

  private func sectors(_ storage: SimulatedStorage) -> [[UInt8]] {
    let bytes = storage.bytes(of: Self.path) ?? []
    return stride(from: 0, to: bytes.count, by: 512).map { Array(bytes[$0..<$0 + 512]) }
  }

  @Test("After a power cut each unsynced sector is old or new, on its own; synced ones are new")
  func unsyncedSectors() throws {
    var outcomes: Set<[UInt8]> = []
    for seed in 1...200 as ClosedRange<UInt64> {
      let storage = SimulatedStorage(seed: seed)
      let file = try made(storage)
      try write([UInt8](repeating: 2, count: 4096), to: file)
      storage.restart(after: .power)
      let found = sectors(storage)
      #expect(found.count == 8)
      #expect(found.allSatisfy { $0 == Array(repeating: $0[0], count: 512) })
      outcomes.insert(found.map { $0[0] })
    }
    #expect(outcomes.contains([UInt8](repeating: 1, count: 8)))
    #expect(outcomes.contains([UInt8](repeating: 2, count: 8)))
    // A later sector there without an earlier one, and the other way round.
    #expect(outcomes.contains { $0[0] == 1 && $0[7] == 2 })
    #expect(outcomes.contains { $0[0] == 2 && $0[7] == 1 })
  }

  @Test("A killed process loses nothing, and its files and locks are let go of")
  func killed() throws {
    let storage = SimulatedStorage()
    let file = try made(storage)
    let lock = try storage.lock("/d/lock")
    #expect(throws: StorageError.self) { try storage.lock("/d/lock") }
    try write([5], to: file, at: 700)
    try file.truncate(to: 1000)
    storage.restart(after: .process)
    #expect(storage.bytes(of: Self.path)?.count == 1000)
    #expect(storage.bytes(of: Self.path)?[700] == 5)
    #expect(throws: StorageError.self) { try file.size() }
    let again = try storage.lock("/d/lock")
    lock.release()
    #expect(throws: StorageError.self) { try storage.lock("/d/lock") }
    again.release()
  }

  @Test("Lengths are kept or lost; what is cut away and reserved again is zero")
  func lengths() throws {
    var lengths: Set<Int> = []
    for seed in 1...100 as ClosedRange<UInt64> {
      let storage = SimulatedStorage(seed: seed)
      let file = try made(storage)
      try file.truncate(to: 700)
      try file.preallocate(to: 6000)
      storage.restart(after: .power)
      let bytes = try #require(storage.bytes(of: Self.path))
      lengths.insert(bytes.count)
      #expect(bytes[..<700].allSatisfy { $0 == 1 })
      if bytes.count == 6000 { #expect(bytes[700...].allSatisfy { $0 == 0 }) }
      if bytes.count == 4096 { #expect(bytes.allSatisfy { $0 == 1 }) }
    }
    #expect(lengths == [700, 4096, 6000])
  }

  @Test("Names are durable once the directory is synced, and not before")
  func names() throws {
    var outcomes: Set<[String]> = []
    for seed in 1...100 as ClosedRange<UInt64> {
      let storage = SimulatedStorage(seed: seed)
      _ = try made(storage)
      _ = try storage.open("/d/new.tmp", .create)
      try storage.rename("/d/new.tmp", to: "/d/new")
      try storage.remove(Self.path)
      storage.restart(after: .power)
      outcomes.insert(try storage.list("/d").sorted())
      _ = try storage.open("/d/kept", .create)
      try storage.syncDirectory("/d")
      storage.restart(after: .power)
      #expect(try storage.list("/d").contains("kept"))
    }
    #expect(
      outcomes == [["file"], ["file", "new.tmp"], ["file", "new"], ["new"], [], ["new.tmp"]])
  }

  @Test("After a failed sync a further one succeeds, and what is lost stays lost")
  func failedSync() throws {
    var kept: Set<Int> = []
    for seed in 1...100 as ClosedRange<UInt64> {
      let storage = SimulatedStorage(seed: seed)
      let file = try made(storage)
      try write([UInt8](repeating: 2, count: 4096), to: file)
      storage.fail(.sync, of: "file", code: EIO)
      #expect(throws: StorageError(.sync, path: Self.path, code: EIO)) { try file.syncData() }
      try file.syncData()
      storage.restart(after: .power)
      kept.insert(sectors(storage).count { $0[0] == 2 })
    }
    #expect(kept.count > 4)
  }

  @Test("A failing write writes a front part; a full disk takes no more but can be written over")
  func writesThatFail() throws {
    let storage = SimulatedStorage()
    let file = try made(storage)
    storage.fail(.write, of: "file", code: ENOSPC, partialWrite: 600)
    #expect(throws: StorageError(.write, path: Self.path, code: ENOSPC)) {
      try write([UInt8](repeating: 2, count: 4096), to: file)
    }
    #expect(storage.bytes(of: Self.path)?.count { $0 == 2 } == 600)
    storage.faults.isFull = true
    #expect(throws: StorageError.self) { try write([3], to: file, at: 4096) }
    #expect(throws: StorageError.self) { try file.preallocate(to: 5000) }
    #expect(throws: StorageError.self) { try storage.open("/d/more", .create) }
    try write([3], to: file, at: 4095)
    #expect(storage.counts.faults == 4)
    storage.heal()
    try write([3], to: file, at: 4096)
  }

  @Test("It stops in the middle of a call: a front part is written, and nothing works any more")
  func stops() throws {
    var parts: Set<Int> = []
    for seed in 1...50 as ClosedRange<UInt64> {
      let storage = SimulatedStorage(seed: seed)
      let file = try made(storage)
      storage.stop(afterCalls: 1)
      try write([2], to: file)
      #expect(throws: StorageError.self) {
        try write([UInt8](repeating: 3, count: 4096), to: file)
      }
      #expect(storage.isStopped)
      #expect(throws: StorageError.self) { try file.size() }
      #expect(throws: StorageError.self) { try storage.list("/d") }
      storage.restart(after: .process)
      let bytes = try #require(storage.bytes(of: Self.path))
      let part = bytes.count { $0 == 3 }
      #expect(bytes[..<part].allSatisfy { $0 == 3 })
      parts.insert(part)
    }
    #expect(parts.count > 20)
  }

  @Test("A disk that lies: syncs that do nothing, writes that are lost or go elsewhere")
  func lies() throws {
    for seed in 1...20 as ClosedRange<UInt64> {
      let storage = SimulatedStorage(seed: seed)
      let file = try made(storage)
      storage.faults.lostWriteOdds = 1
      try write([UInt8](repeating: 2, count: 512), to: file)
      storage.faults.lostWriteOdds = 0
      storage.faults.misdirectedWriteOdds = 1
      try write([UInt8](repeating: 3, count: 512), to: file, at: 512)
      try file.syncData()
      #expect(sectors(storage)[0][0] == 2 && sectors(storage)[1][0] == 3)
      storage.restart(after: .power)
      #expect(sectors(storage)[0][0] == 1 && sectors(storage)[1][0] == 1)
    }
    let storage = SimulatedStorage()
    let file = try made(storage)
    storage.faults.liesOnSync = true
    storage.faults.liesOnDirectorySync = true
    try write([9], to: file)
    try file.sync()
    _ = try storage.open("/d/new", .create)
    try storage.syncDirectory("/d")
    #expect(storage.durableBytes(of: Self.path)?[0] == 1)
    #expect(storage.durableBytes(of: "/d/new") == nil)
  }
}
