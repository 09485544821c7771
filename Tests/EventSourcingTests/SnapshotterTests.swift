import Digests
import Domain
import FastJSON
import SwipestreamTesting
import Testing

@testable import EventSourcing

/// Snapshots between the registry, the log and where they are kept.
@Suite(.timeLimit(.minutes(1)))
struct SnapshotterTests {
  private let stream = (try? StreamID("list/a"))!

  private func add(_ id: String, _ count: Int) -> (id: String, name: String, data: String) {
    (id, "add", #"{"count":\#(count)}"#)
  }

  /// A log with `count` steps of the counter `list/a`.
  private func log(_ count: Int) async throws -> InMemoryEventStore {
    let store = InMemoryEventStore()
    let shard = Shard(store)
    _ = await shard.answers(to: try await shard.submit([add("first", count)]))
    shard.stop()
    return store
  }

  /// What the counter's next command answers, and how many events were read for that.
  private func next(
    _ store: InMemoryEventStore, _ snapshots: InMemorySnapshotStore
  ) async throws -> (value: String, readFrom: UInt64?) {
    let watched = WatchedEventStore(store)
    let shard = Shard(watched, snapshots: snapshots)
    let id = "\(store.head)"
    let answer = await shard.answers(to: try await shard.submit([add(id, 1)]))[0]
    let outcome = try answer.get().outcome
    shard.stop()
    return (String(decoding: outcome, as: UTF8.self), watched.leastRevision)
  }

  private func snapshot(
    of store: InMemoryEventStore, revision: UInt64, position: UInt64? = nil, isLater: Bool = false,
    log: LogID? = nil, version: UInt32 = 1, state: [UInt8]? = nil
  ) throws -> Snapshot {
    let events = try store.read(after: .start, limit: ReadLimit(events: 1000))
    let index = min(max(Int(revision), 1), events.count) - 1
    let time = events.isEmpty ? 0 : events[index].time.microseconds
    return Snapshot(
      stream: stream, revision: Revision(revision), position: GlobalPosition(position ?? revision),
      time: Timestamp(microseconds: time + (isLater ? 1 : 0)),
      log: log ?? store.logID, version: version, state: state ?? [UInt8(revision)])
  }

  @Test func aLongReplayLeavesASnapshotThatTheNextLoadUses() async throws {
    let store = try await log(120)
    let snapshots = InMemorySnapshotStore()
    let first = try await next(store, snapshots)
    #expect(first.value == #"{"value":121}"# && first.readFrom == 0)
    // The thread may have had no time before the stop.
    while snapshots.all.isEmpty {
      let shard = Shard(store, snapshots: snapshots)
      _ = await shard.answers(to: try await shard.submit([("n", "nothing", "{}")]))
      shard.stop()
    }
    let kept = snapshots.all[0]
    #expect(kept.revision >= Revision(120) && kept.log == store.logID && kept.version == 1)
    #expect(kept.position.rawValue == kept.revision.rawValue)
    let second = try await next(store, snapshots)
    #expect(second.value == #"{"value":122}"#)
    #expect(second.readFrom == kept.revision.rawValue - 1, "the event that it is checked by")
  }

  /// A snapshot that is trusted shows: it says another value than the log.
  @Test func aSnapshotIsBelievedOnlyIfAllOfItFits() async throws {
    let store = try await log(50)
    func value(_ snapshot: Snapshot?) async throws -> String {
      let snapshots = InMemorySnapshotStore()
      if let snapshot { snapshots.plant(snapshot) }
      let shard = Shard(store, snapshots: snapshots)
      let tokens = try await shard.submit([("n", "nothing", "{}")])
      let answer = await shard.answers(to: tokens)[0]
      shard.stop()
      return String(decoding: try answer.get().outcome, as: UTF8.self)
    }
    let right = #"{"value":50}"#
    #expect(try await value(nil) == right)
    #expect(try await value(snapshot(of: store, revision: 40, state: [7])) == #"{"value":17}"#)
    #expect(try await value(snapshot(of: store, revision: 40, log: .random(), state: [7])) == right)
    #expect(try await value(snapshot(of: store, revision: 40, position: 39, state: [7])) == right)
    #expect(
      try await value(snapshot(of: store, revision: 40, isLater: true, state: [7])) == right)
    #expect(try await value(snapshot(of: store, revision: 51, state: [7])) == right)
    #expect(try await value(snapshot(of: store, revision: 0, state: [7])) == right)
    for version: UInt32 in [0, 2] {
      #expect(
        try await value(snapshot(of: store, revision: 40, version: version, state: [7])) == right)
    }
    for state: [UInt8] in [[], [7, 7], [0x80, 0], [0xFF, 0xFF, 0xFF, 0x7F]] {
      #expect(try await value(snapshot(of: store, revision: 40, state: state)) == right)
    }
  }

  @Test func aUselessSnapshotIsMadeAnew() async throws {
    let store = try await log(3)
    for isDamaged in [true, false] {
      let snapshots = InMemorySnapshotStore()
      snapshots.plant(try snapshot(of: store, revision: 2, position: 1, state: [7]))
      if isDamaged { snapshots.damage(stream) }
      let shard = Shard(store, snapshots: snapshots)
      _ = await shard.answers(to: try await shard.submit([("n", "nothing", "{}")]))
      while await shard.snapshotCounts?.written == 0 { await Task.yield() }
      #expect(try snapshots.load(stream) == snapshot(of: store, revision: 3))
      shard.stop()
    }
  }

  @Test func aRemovalTakesAlsoWhatIsBeingMade() throws {
    let snapshots = InMemorySnapshotStore()
    let store = InMemoryEventStore()
    let before = snapshots.removalCount
    try snapshots.save(snapshot(of: store, revision: 1), removals: before)
    try snapshots.remove(stream)
    #expect(throws: SnapshotError.self) {
      try snapshots.save(snapshot(of: store, revision: 1), removals: before)
    }
    #expect(snapshots.all.isEmpty)
  }

  @Test func failuresAreNotedAndHoldNothingUp() async throws {
    let store = try await log(150)
    let snapshots = InMemorySnapshotStore()
    snapshots.failSaves(because: "disk full")
    let shard = Shard(store, snapshots: snapshots)
    let answer = await shard.answers(to: try await shard.submit([add("2", 1)]))[0]
    #expect(try answer.get().revision == Revision(151))
    while await shard.snapshotCounts?.failed == 0 { await Task.yield() }
    #expect(await shard.snapshotCounts?.lastFailure == "disk full")
    shard.stop()
  }

  @Test func aFailedBatchIsReplayedFromTheSnapshot() async throws {
    let inner = try await log(200)
    let snapshots = InMemorySnapshotStore()
    snapshots.plant(try snapshot(of: inner, revision: 190, state: [0xBE, 0x01]))
    let store = WatchedEventStore(inner)
    let shard = Shard(store, snapshots: snapshots)
    inner.refuseAppends(because: "disk full")
    let refused = await shard.answers(to: try await shard.submit([add("2", 5)]))[0]
    #expect(throws: ServiceError.self) { try refused.get() }
    inner.refuseAppends(because: nil)
    let answer = await shard.answers(to: try await shard.submit([add("2", 5)]))[0]
    #expect(try answer.get().outcome == Array(#"{"value":205}"#.utf8))
    #expect(store.leastRevision == 189)
    shard.stop()
  }

  /// A long stream's load gives way to others between two of its reads.
  @Test func aLongLoadHoldsUpNoOther() async throws {
    let inner = InMemoryEventStore()
    for (name, count) in [("list/long", 10_000), ("list/short", 1)] {
      var batch = AppendBatch(time: Timestamp(microseconds: 1))
      batch.begin(try StreamID(name), expecting: .noStream)
      for _ in 0..<count {
        batch.add("counter.stepped", data: Counter.Event().writeData(to:)) {
          EventMeta.write(
            command: CommandID("c")!, via: nil, metadata: CommandMetadata(), completion: nil,
            to: &$0)
        }
      }
      inner.append(batch) { _ in }
    }
    let store = WatchedEventStore(inner)
    store.holdReads()
    let shard = Shard(store)
    let long = try await shard.submit([("n", "nothing", "{}")], to: "list/long")
    let short = try await shard.submit([("n", "nothing", "{}")], to: "list/short")
    // Both loads are asked for once the shard has had its turns.
    while store.heldReads == 0 { await Task.yield() }
    for _ in 0..<10 { _ = await shard.residentAggregates }
    store.letReadsGo()
    _ = await shard.answers(to: short + long)
    let reads = store.readStreams.map(\.name)
    #expect(reads.filter { $0 == "long" }.count >= 3)
    #expect(reads.first == "long" && reads.last == "long" && reads.contains("short"))
    shard.stop()
  }
}
