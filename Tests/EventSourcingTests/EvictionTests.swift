import ActorRuntime
import Digests
import Domain
import FastJSON
import SwipestreamTesting
import Testing

@testable import EventSourcing

/// Aggregates that are let go and come back, beside twins that never leave.
@Suite(.timeLimit(.minutes(2)))
struct EvictionTests {
  typealias Command = (id: String, name: String, data: String)

  private static let streams = (1...6).map { "mailbox/\($0)" }

  private static func command(_ id: Int, _ random: inout SeededRandom) -> Command {
    let mails = (0..<40).map { _ in String(Int.random(in: 1...60, using: &random)) }
    let list = "[\(mails.joined(separator: ","))]"
    switch Int.random(in: 0..<12, using: &random) {
    case 0..<5:
      let known = Int.random(in: 0..<80, using: &random)
      return (
        "c\(id)", "deliver",
        #"{"from":"f","subject":"s","message":"m","messageID":"<\#(known)>"}"#
      )
    case 5: return ("c\(id)", "reorder", #"{"mails":\#(list),"first":true}"#)
    case 6: return ("c\(id)", "trash", #"{"mail":\#(mails[0])}"#)
    case 7: return ("c\(id)", "purge", #"{"mail":\#(mails[0])}"#)
    default:
      let names = ["flag", "unflag", "mark-read", "mark-unread", "restore"]
      let count = Int.random(in: 1...12, using: &random)
      return (
        "c\(id)", names[Int.random(in: names.indices, using: &random)],
        #"{"mails":[\#((1...count).map { "\($0)" }.joined(separator: ","))]}"#
      )
    }
  }

  @Test(arguments: SeededRandom.seeds(8))
  func evictedAggregatesEqualTheirTwins(seed: UInt64) async throws {
    var random = SeededRandom(seed: seed)
    let hasSnapshots = seed % 4 != 0
    let snapshots = InMemorySnapshotStore()
    var limits = AggregateRegistry.Limits()
    if seed % 2 == 0 { limits.residentBytes = 12_000 } else { limits.residentAggregates = 2 }
    let store = InMemoryEventStore()
    let shard = Shard(store, snapshots: hasSnapshots ? snapshots : nil, limits: limits)
    let twinStore = InMemoryEventStore()
    let twin = Shard(twinStore)
    var sent: [Command] = []
    var evictions = 0
    for round in 0..<400 {
      let stream = Self.streams.randomElement(using: &random)!
      var commands = (0..<Int.random(in: 1...3, using: &random)).map { index in
        Self.command(round * 10 + index, &random)
      }
      if let old = sent.randomElement(using: &random), random.chance(oneIn: 4) {
        commands.append(old)
      }
      sent += commands
      let answers = await shard.answers(to: try await shard.submit(commands, to: stream))
      let expected = await twin.answers(to: try await twin.submit(commands, to: stream))
      #expect(answers == expected, "seed \(seed), round \(round)")
      if await shard.residentAggregates < Self.streams.count { evictions += 1 }
      if random.chance(oneIn: 20) { snapshots.damage(try StreamID(stream)) }
      if random.chance(oneIn: 50) { try snapshots.remove(try StreamID(stream)) }
    }
    #expect(evictions > 100, "seed \(seed)")
    let written = await shard.snapshotCounts?.written
    #expect(!hasSnapshots || written! > 0, "seed \(seed)")
    shard.stop()
    twin.stop()
    try check(store, hasSnapshots ? snapshots : nil, twinStore, seed)
  }

  /// The states from snapshots, from the log alone, and from the twin's log are one.
  private func check(
    _ store: InMemoryEventStore, _ snapshots: InMemorySnapshotStore?,
    _ twinStore: InMemoryEventStore, _ seed: UInt64
  ) throws {
    var used = 0
    for name in Self.streams {
      let stream = try StreamID(name)
      let quick = try fold(stream, store, snapshots)
      let slow = try fold(stream, store, nil)
      let twin = try fold(stream, twinStore, nil)
      #expect(quick.state.stateHash == slow.state.stateHash, "seed \(seed)")
      #expect(slow.state.stateHash == twin.state.stateHash, "seed \(seed)")
      #expect(quick.revision == twin.revision && quick.position == twin.position)
      if quick.snapshotRevision > .none { used += 1 }
    }
    #expect(snapshots == nil || used > 0, "seed \(seed)")
  }

  private func fold(
    _ stream: StreamID, _ store: InMemoryEventStore, _ snapshots: InMemorySnapshotStore?
  ) throws -> StreamFold<Mailbox> {
    let parser = JSONParser()
    defer { withExtendedLifetime(parser) {} }
    var fold = try StreamFold<Mailbox>(stream, store: store, snapshots: snapshots)
    while try fold.step(parser) {}
    return fold
  }

  @Test func whatIsInUseStays() async throws {
    var limits = AggregateRegistry.Limits()
    limits.residentBytes = 1
    let store = GatedEventStore()
    let shard = Shard(store, limits: limits)
    var tokens: [Int] = []
    for index in 0..<20 {
      tokens += try await shard.submit([("c", "add", #"{"count":1}"#)], to: "list/\(index)")
    }
    while store.heldBatches == 0 { await Task.yield() }
    #expect(await shard.residentAggregates == 20)
    #expect(await shard.residentBytes > 20 * 512)
    #expect(try await shard.isPending("c", in: "list/7"))
    let again = try await shard.submit([("c", "add", #"{"count":1}"#)], to: "list/7")
    store.open()
    for answer in await shard.answers(to: tokens) {
      #expect(try answer.get().isDuplicate == false)
    }
    #expect(try await shard.answers(to: again)[0].get().isDuplicate)
    #expect(store.head == GlobalPosition(20))
    shard.stop()
  }

  @Test func theSumOfBytesIsWhatIsThere() async throws {
    var limits = AggregateRegistry.Limits()
    limits.residentBytes = 8000
    let shard = Shard(InMemoryEventStore(), limits: limits)
    for round in 0..<600 {
      let stream = "mailbox/\(round % 50)"
      _ = await shard.answers(
        to: try await shard.submit(
          [("c\(round)", "deliver", #"{"from":"f","subject":"s","message":"m"}"#)], to: stream))
    }
    // What was used last may stay beyond the limit.
    let bytes = await shard.residentBytes
    let count = await shard.residentAggregates
    #expect(count > 0 && count < 50)
    #expect(bytes >= count * 512 && bytes <= 16_000)
    shard.stop()
  }
}
