import EventSourcing
import SwipestreamTesting
import Testing

@Suite(.timeLimit(.minutes(1)))
struct AggregateRegistryTests {
  private func add(_ id: String, _ count: Int) -> (id: String, name: String, data: String) {
    (id, "add", #"{"count":\#(count)}"#)
  }

  private func receipt(
    _ revision: UInt64, _ position: UInt64, events: Int, value: Int, isDuplicate: Bool = false
  ) throws -> Result<CommandReceipt, ServiceError> {
    .success(
      CommandReceipt(
        stream: try StreamID("list/a"), revision: Revision(revision),
        position: GlobalPosition(position), eventCount: events,
        outcome: Array(#"{"value":\#(value)}"#.utf8), isDuplicate: isDuplicate))
  }

  private func code(_ result: Result<CommandReceipt, ServiceError>) -> ErrorCode? {
    if case .failure(let error) = result { error.code } else { nil }
  }

  @Test func oneTurnIsOneBatch() async throws {
    let store = GatedEventStore()
    let shard = Shard(store)
    let tokens = try await shard.submit([add("1", 1), add("2", 2), ("3", "nothing", "{}")])
    while store.heldBatches == 0 { await Task.yield() }
    #expect(await shard.replies.isEmpty)
    store.open()
    let answers = await shard.answers(to: tokens)
    #expect(
      answers == [
        try receipt(1, 1, events: 1, value: 1), try receipt(3, 3, events: 2, value: 3),
        try receipt(3, 3, events: 0, value: 3),
      ])
    #expect(await shard.replies.map(\.token) == tokens)
    shard.stop()
  }

  @Test func answersLeaveInTheirTurnAlsoRefusals() async throws {
    let store = GatedEventStore()
    let shard = Shard(store)
    let tokens = try await shard.submit([
      add("1", 1), add("2", 5000), ("3", "fly", "{}"), ("4", "add", "{}"), add("1", 1),
      ("5", "nothing", "{}"),
    ])
    while store.heldBatches == 0 { await Task.yield() }
    #expect(await shard.replies.isEmpty, "a refusal rests on an event that is not durable yet")
    store.open()
    let answers = await shard.answers(to: tokens)
    #expect(
      answers.map(code) == [nil, .rejected, .unknownCommand, .invalid, nil, nil])
    #expect(answers[4] == (try receipt(1, 1, events: 1, value: 1, isDuplicate: true)))
    #expect(await shard.replies.map(\.token) == tokens)
    shard.stop()
  }

  @Test func aCommandSentAgainIsAnsweredAgain() async throws {
    let store = GatedEventStore()
    let shard = Shard(store)
    // While the first is under way, in the same turn's batch and in a later one.
    let first = try await shard.submit([add("1", 2), add("1", 2)])
    while store.heldBatches == 0 { await Task.yield() }
    #expect(try await shard.isPending("1"))
    let second = try await shard.submit([add("2", 1), add("1", 2), add("1", 3)])
    while store.heldBatches < 2 { await Task.yield() }
    store.release(1)
    #expect(
      await shard.answers(to: first) == [
        try receipt(2, 2, events: 2, value: 2),
        try receipt(2, 2, events: 2, value: 2, isDuplicate: true),
      ])
    store.open()
    let answers = await shard.answers(to: second)
    #expect(answers[0] == (try receipt(3, 3, events: 1, value: 3)))
    #expect(answers[1] == (try receipt(2, 2, events: 2, value: 2, isDuplicate: true)))
    #expect(code(answers[2]) == .idReused)
    #expect(try await !shard.isPending("1"))
    // Once durable, and by another owner of the stream, as after a restart.
    for shard in [shard, Shard(store)] {
      let again = try await shard.submit([add("1", 2), add("1", 9)])
      let answers = await shard.answers(to: again)
      #expect(answers[0] == (try receipt(2, 2, events: 2, value: 2, isDuplicate: true)))
      #expect(code(answers[1]) == .idReused)
      shard.stop()
    }
    #expect(store.head == GlobalPosition(3))
  }

  @Test func duplicateComesBeforeExpectAndExpectBeforeTheRules() async throws {
    let store = GatedEventStore()
    store.open()
    let shard = Shard(store)
    _ = await shard.answers(to: try await shard.submit([add("1", 1)]))
    let tokens = try await shard.submit([add("1", 1), add("2", 5000)], expecting: 7)
    let answers = await shard.answers(to: tokens)
    #expect(answers[0] == (try receipt(1, 1, events: 1, value: 1, isDuplicate: true)))
    #expect(code(answers[1]) == .conflict)
    if case .failure(let error) = answers[1] { #expect(error.revision == Revision(1)) }
    shard.stop()
  }

  @Test func aFailedBatchVoidsWhatWasDecidedOnIt() async throws {
    let store = GatedEventStore()
    let shard = Shard(store)
    let first = try await shard.submit([add("1", 1)])
    while store.heldBatches == 0 { await Task.yield() }
    let second = try await shard.submit([add("2", 1), ("3", "nothing", "{}")])
    while store.heldBatches < 2 { await Task.yield() }
    store.fail(with: .readOnly(reason: "disk full"))
    let answers = await shard.answers(to: first + second)
    #expect(answers.map(code) == [.readOnly, .readOnly, .readOnly])
    // The state is that of the durable events again, and the ids are free.
    store.open()
    let again = await shard.answers(to: try await shard.submit([add("2", 3)]))
    #expect(again == [try receipt(3, 3, events: 3, value: 3)])
    shard.stop()
  }

  @Test func aDuplicateKeepsItsReceiptWhenTheBatchItWaitsForFails() async throws {
    let store = GatedEventStore()
    let shard = Shard(store)
    store.open()
    _ = await shard.answers(to: try await shard.submit([add("1", 2)]))
    store.close()
    let tokens = try await shard.submit([add("2", 1), add("1", 2)])
    while store.heldBatches == 0 { await Task.yield() }
    store.fail(with: .readOnly(reason: "disk full"))
    let answers = await shard.answers(to: tokens)
    #expect(code(answers[0]) == .readOnly)
    #expect(answers[1] == (try receipt(2, 2, events: 2, value: 2, isDuplicate: true)))
    shard.stop()
  }

  @Test func manyCommandsOfOneStreamAreCutIntoBatches() async throws {
    var limits = AggregateRegistry.Limits()
    limits.batchBytes = 1000
    let store = GatedEventStore()
    let shard = Shard(store, limits: limits)
    let tokens = try await shard.submit((1...100).map { add("\($0)", 1) })
    while store.heldBatches < 5 { await Task.yield() }
    store.open()
    let answers = await shard.answers(to: tokens)
    for (index, answer) in answers.enumerated() {
      let number = UInt64(index + 1)
      #expect(answer == (try receipt(number, number, events: 1, value: index + 1)))
    }
    #expect(await shard.replies.map(\.token) == tokens)
    shard.stop()
  }

  @Test func anUnreadableStreamRefusesAndRecovers() async throws {
    let store = GatedEventStore()
    store.open()
    store.inner.failReads(with: .failed(reason: "gone"))
    let shard = Shard(store)
    let refused = await shard.answers(to: try await shard.submit([add("1", 1)]))
    #expect(refused.map(code) == [.unavailable])
    store.inner.failReads(with: nil)
    let answers = await shard.answers(to: try await shard.submit([add("1", 1)]))
    #expect(answers == [try receipt(1, 1, events: 1, value: 1)])
    shard.stop()
  }

  @Test func tooManyUnansweredCommandsAreRefusedAtOnce() async throws {
    var limits = AggregateRegistry.Limits()
    limits.unansweredCommands = 2
    let store = GatedEventStore()
    let shard = Shard(store, limits: limits)
    let tokens = try await shard.submit([add("1", 1), add("2", 1)])
    let error = await #expect(throws: ServiceError.self) {
      _ = try await shard.submit([add("3", 1)])
    }
    #expect(error?.code == .overloaded)
    store.open()
    _ = await shard.answers(to: tokens)
    _ = await shard.answers(to: try await shard.submit([add("3", 1)]))
    shard.stop()
  }

  @Test func systemStreamsTakeNoCommands() async throws {
    let shard = Shard(InMemoryEventStore())
    let error = await #expect(throws: ServiceError.self) {
      _ = try await shard.submit([add("1", 1)], to: "system/erasures")
    }
    #expect(error?.code == .forbidden)
    shard.stop()
  }

  @Test func idleAggregatesAreLetGoAndComeBackRight() async throws {
    var limits = AggregateRegistry.Limits()
    limits.residentAggregates = 8
    let shard = Shard(InMemoryEventStore(), limits: limits)
    for round in 1...3 {
      for index in 0..<50 {
        let stream = "list/s\(index)"
        let tokens = try await shard.submit([add("\(round)", 1)], to: stream)
        guard case .success(let receipt) = await shard.answers(to: tokens)[0] else {
          Issue.record("refused")
          continue
        }
        #expect(receipt.revision == Revision(UInt64(round)))
      }
    }
    #expect(await shard.residentAggregates <= 9)
    shard.stop()
  }

  /// Promise 4, against a store that holds and releases at random: every command that wrote, sent
  /// twice or more, writes once, and every answer to it is the first receipt.
  @Test(arguments: SeededRandom.seeds(20))
  func commandsSentAgainAndAgainWriteOnce(seed: UInt64) async throws {
    var random = SeededRandom(seed: seed)
    let store = GatedEventStore()
    let shard = Shard(store)
    var tokens: [(id: Int, token: Int)] = []
    for _ in 0..<100 {
      let ids = (0..<Int.random(in: 1...5, using: &random)).map { _ in
        Int.random(in: 1...40, using: &random)
      }
      let sent = try await shard.submit(ids.map { add("c\($0)", $0 % 4 + 1) })
      tokens += zip(ids, sent).map { (id: $0, token: $1) }
      if random.chance(oneIn: 3) { store.release(Int.random(in: 1...2, using: &random)) }
    }
    store.open()
    let answers = await shard.answers(to: tokens.map(\.token))
    var first: [Int: CommandReceipt] = [:]
    for (entry, answer) in zip(tokens, answers) {
      guard case .success(var receipt) = answer else {
        Issue.record("seed \(seed): command \(entry.id) was refused: \(answer)")
        continue
      }
      #expect(receipt.isDuplicate == (first[entry.id] != nil), "seed \(seed)")
      receipt.isDuplicate = false
      #expect(first[entry.id, default: receipt] == receipt, "seed \(seed)")
      first[entry.id] = first[entry.id] ?? receipt
    }
    let written = first.keys.reduce(0) { $0 + $1 % 4 + 1 }
    #expect(store.head == GlobalPosition(UInt64(written)), "seed \(seed)")
    #expect(await shard.replies.map(\.token) == tokens.map(\.token), "seed \(seed)")
    shard.stop()
  }
}
