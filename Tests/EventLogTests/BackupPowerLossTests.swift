import EventSourcing
import SwipestreamTesting
import Testing

@testable import EventLog

@Suite("Backups and restores that lose power")
struct BackupPowerLossTests {
  private static let configuration = smallConfiguration(segmentBytes: 8 << 10)

  /// A disk with a log, a backup of its first part, and the position where that ends.
  private func disk(seed: UInt64) throws -> (SimulatedStorage, old: UInt64, events: [RecordedEvent])
  {
    let storage = SimulatedStorage(seed: seed)
    try storage.createDirectory("/log")
    try append(0..<4, storage)
    let old = try LogBackup(of: "/log", to: "/backup", storage: storage).run().head.rawValue
    let events = try append(4..<9, storage)
    return (storage, old, events)
  }

  @discardableResult
  private func append(
    _ numbers: Range<Int>, _ storage: SimulatedStorage
  ) throws -> [RecordedEvent] {
    let store = try open("/log", storage)
    defer { store.close() }
    BackedUpLog.append(numbers, to: store)
    return try store.everything()
  }

  private func open(
    _ directory: String, _ storage: SimulatedStorage
  ) throws -> SegmentedEventStore {
    try SegmentedEventStore.open(
      directory: directory, configuration: Self.configuration, storage: storage)
  }

  private func events(
    _ directory: String, _ storage: SimulatedStorage
  ) throws -> [RecordedEvent] {
    let store = try open(directory, storage)
    defer { store.close() }
    return try store.everything()
  }

  @Test("In the middle of any call of a backup: the old state or the new one is there")
  func backup() throws {
    let seed = SeededRandom.seeds(1)[0]
    print("SWIPESTREAM_SEED=\(seed)")
    var heads: Set<UInt64> = []
    var isDone = false
    var calls = 0
    while !isDone {
      let (storage, old, events) = try disk(seed: seed &+ UInt64(calls))
      storage.stop(afterCalls: calls)
      isDone = (try? LogBackup(of: "/log", to: "/backup", storage: storage).run()) != nil
      storage.heal()
      storage.restart(after: .power)
      let head = try LogRestore(from: "/backup", to: "/restored", storage: storage).run().head
      heads.insert(head.rawValue)
      #expect(head.rawValue == UInt64(events.count) || (head.rawValue == old && !isDone))
      #expect(try self.events("/restored", storage) == Array(events[..<Int(head.rawValue)]))
      let next = try LogBackup(of: "/log", to: "/backup", storage: storage).run()
      #expect(next.head.rawValue == UInt64(events.count))
      calls += 1
    }
    #expect(heads.count == 2 && calls > 20)
  }

  @Test("In the middle of any call of a restore: nothing is served, or all of it is there")
  func restore() throws {
    let seed = SeededRandom.seeds(1)[0]
    print("SWIPESTREAM_SEED=\(seed)")
    var isDone = false
    var calls = 0
    var refused = 0
    while !isDone {
      let (storage, old, events) = try disk(seed: seed &+ UInt64(calls))
      let restore = LogRestore(from: "/backup", to: "/restored", storage: storage)
      storage.stop(afterCalls: calls)
      isDone = (try? restore.run()) != nil
      storage.heal()
      storage.restart(after: .power)
      let hasLog = storage.paths.contains { $0.hasPrefix("/restored/log/") }
      do {
        // Where nothing was made yet, a start would make a new log.
        if hasLog || isDone {
          #expect(try self.events("/restored", storage) == Array(events[..<Int(old)]))
        }
      } catch EventLogError.notToBeServed {
        #expect(!isDone)
        refused += 1
        #expect(try restore.run().head.rawValue == old)
        #expect(try self.events("/restored", storage) == Array(events[..<Int(old)]))
      }
      calls += 1
    }
    #expect(refused > 5)
  }
}
