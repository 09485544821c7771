import ActorRuntime
import EventSourcing
import Glibc
import SwipestreamTesting
import Testing

@testable import EventLog

@Suite("Simulated histories")
struct SimulationTests {
  @Test("Nothing acknowledged is ever lost, nothing half visible", arguments: SeededRandom.seeds(8))
  func history(seed: UInt64) throws {
    print("SWIPESTREAM_SEED=\(seed)")
    _ = try LogSimulation.run(seed: seed)
  }

  @Test("A seed gives the same history each time")
  func sameSeed() throws {
    #expect(try LogSimulation.run(seed: 3) == LogSimulation.run(seed: 3))
  }
}

@Suite("A start after a process was killed")
struct StartAfterKillTests {
  private static let directory = "/data"

  private func open(_ storage: SimulatedStorage) throws -> SegmentedEventStore {
    var configuration = smallConfiguration()
    configuration.probeMilliseconds = 0
    return try SegmentedEventStore.openStepped(
      directory: Self.directory, configuration: configuration, clock: SystemClock(),
      storage: storage)
  }

  /// What was seen once is there after a power cut, too.
  private func expectDurable(_ storage: SimulatedStorage, seed: UInt64) throws {
    let seen = try open(storage).everything()
    #expect(seen.count == 3)
    storage.restart(after: .power)
    let left = try open(storage).everything()
    #expect(left == seen, "seed \(seed)")
  }

  @Test("What a failed sync left in memory only is written again before it is seen")
  func failedSync() throws {
    for seed in 1...30 as ClosedRange<UInt64> {
      let storage = SimulatedStorage(seed: seed)
      let store = try open(storage)
      store.append(AppendBatch(stream("a"), [10])) { _ in }
      store.step()
      store.append(AppendBatch(stream("a"), [600, 700])) { _ in Issue.record("answered") }
      storage.fail(.sync, code: EIO)
      storage.fail(.truncate, code: EIO, times: .max)
      store.step()
      storage.restart(after: .process)
      storage.heal()
      // Half of the time the kernel has dropped the pages, and there is nothing to be seen.
      if try open(storage).head.rawValue < 3 { continue }
      storage.restart(after: .process)
      try expectDurable(storage, seed: seed)
    }
  }

  @Test("It syncs what is there also where a full disk makes it read-only")
  func fullDisk() throws {
    for seed in 1...10 as ClosedRange<UInt64> {
      let storage = SimulatedStorage(seed: seed)
      let store = try open(storage)
      store.append(AppendBatch(stream("a"), [10])) { _ in }
      store.step()
      store.append(AppendBatch(stream("a"), [600, 700])) { _ in Issue.record("answered") }
      // In the sync, behind the write.
      storage.stop(afterCalls: 1)
      store.step()
      storage.restart(after: .process)
      storage.fail(.preallocate, code: ENOSPC)
      try expectDurable(storage, seed: seed)
    }
  }

  @Test("It makes the newest segment's name durable before it adds to it")
  func renamed() throws {
    for seed in 1...10 as ClosedRange<UInt64> {
      let storage = SimulatedStorage(seed: seed)
      let store = try open(storage)
      store.append(AppendBatch(stream("a"), [10, 9_000])) { _ in }
      store.step()
      storage.fail(.syncDirectory, of: "/log", code: EIO, times: .max)
      store.append(AppendBatch(stream("a"), [9_000])) { _ in }
      store.step()
      storage.restart(after: .process)
      storage.heal()
      let again = try open(storage)
      #expect(again.statistics.segments == 2)
      again.append(AppendBatch(stream("a"), [1])) { #expect($0.error == nil) }
      again.step()
      storage.restart(after: .process)
      try expectDurable(storage, seed: seed)
    }
  }
}
