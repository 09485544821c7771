import EventSourcing
import SwipestreamTesting
import Testing

@testable import EventLog

@Suite("Interrupted repair")
struct RepairCrashTests {
  private static let path = "/data"

  /// A log on a simulated disk, damaged in two segments.
  private func damagedLog(seed: UInt64) throws -> (SimulatedStorage, [RecordedEvent]) {
    let storage = SimulatedStorage(seed: seed)
    let store = try SegmentedEventStore.open(
      directory: Self.path, configuration: smallConfiguration(segmentBytes: 8 << 10),
      storage: storage)
    for index in 0..<24 {
      store.appendAndWait(
        AppendBatch(stream("s\(index % 3)"), [200, 300, 30], command: command("c\(index)")))
    }
    let events = try store.everything()
    let firsts = store.core.catalog.all.map(\.first)
    store.close()
    #expect(firsts.count > 2)
    for first in firsts.prefix(2) {
      storage.alter(
        Self.path + "/log/" + FileFormat.segmentName(first: first),
        at: SegmentHeader.size + BatchHeader.size + 100
      ) { $0 ^= 1 }
    }
    for path in Self.derived { try write(path, to: storage) }
    return (storage, events)
  }

  /// What a repair makes worthless. The head mark and indexes are made anew by its own record.
  private static let derived = [
    "index/old.idx", "snapshots/old.snap", "views/list.db", "erasures",
  ].map { path + "/" + $0 }

  private func write(_ path: String, to storage: SimulatedStorage) throws {
    let directory = String(path[..<(path.lastIndex(of: "/") ?? path.endIndex)])
    try storage.createDirectory(directory)
    let file = try storage.open(path, .create)
    try [1, 2, 3].withRawBytes { (bytes) throws(StorageError) in try file.write(bytes, at: 0) }
    try file.sync()
    try storage.syncDirectory(directory)
  }

  private func repairer(_ storage: SimulatedStorage) -> LogRepairer {
    LogRepairer(directory: Self.path, storage: storage)
  }

  private func damages(_ storage: SimulatedStorage) throws -> [LogDamage] {
    var verifier = LogVerifier(directory: Self.path, storage: storage)
    verifier.pauseMilliseconds = 0
    return try verifier.verify()?.damages ?? []
  }

  /// The machine stops at each of the repair's calls in turn, and the power is gone. Then the log is
  /// as damaged as before, or the repair can be ended, or it was done; and it can always be repaired.
  @Test(
    "Stopped at any call, a repair is not begun, or can be ended",
    arguments: [
      RepairChoice.fill, .cut,
    ])
  func everyCall(choice: RepairChoice) throws {
    var calls = 0
    var isDone = false
    var outcomes: Set<String> = []
    while !isDone {
      let (storage, events) = try damagedLog(seed: UInt64(calls) + 1)
      let before = try damages(storage)
      storage.stop(afterCalls: calls)
      let outcome = try? repairer(storage).repair(choice)
      // What comes behind the record of the repair may fail without a word.
      isDone = outcome != nil && !storage.isStopped
      if !isDone {
        #expect(storage.isStopped)
        storage.restart(after: .power)
        outcomes.insert(try settle(storage, before, choice))
      } else {
        // The stop that did not come to it is called off.
        storage.restart(after: .power)
      }
      for path in Self.derived {
        #expect(throws: StorageError.self, "\(path), call \(calls)") {
          try storage.open(path, .read)
        }
      }
      try expectRepaired(storage, events, choice)
      calls += 1
    }
    #expect(outcomes == ["untouched", "ended", "done"])
  }

  private func settle(
    _ storage: SimulatedStorage, _ before: [LogDamage], _ choice: RepairChoice
  ) throws -> String {
    let again = repairer(storage)
    if try again.isUnfinished {
      #expect(throws: EventLogError.repairUnfinished(directory: Self.path)) {
        try SegmentedEventStore.open(directory: Self.path, storage: storage)
      }
      try again.finish()
      return "ended"
    }
    let now = try damages(storage)
    if now.isEmpty { return "done" }
    #expect(now == before)
    _ = try again.repair(choice)
    return "untouched"
  }

  private func expectRepaired(
    _ storage: SimulatedStorage, _ events: [RecordedEvent], _ choice: RepairChoice
  ) throws {
    #expect(try damages(storage) == [])
    let store = try SegmentedEventStore.open(
      directory: Self.path, configuration: smallConfiguration(), storage: storage)
    defer { store.close() }
    let all = try store.everything()
    #expect(all.count { $0.type == "log.repaired" } == 1 && all.last?.type == "log.repaired")
    let now = all.filter { $0.type != "log.repaired" }
    #expect(now.count == (choice == .fill ? events.count : 0))
    for (event, before) in zip(now, events) where event.type != "log.lost" {
      #expect(event == before)
    }
  }
}
