import ActorRuntime
import Domain
import FastJSON
import SwipestreamTesting
import Testing

@testable import EventSourcing

/// What lives beside an aggregate's state, shown by the drags of a list.
@Suite("Live states", .timeLimit(.minutes(2)))
struct LiveStateTests {
  private let store = GatedEventStore()
  private let clock = ManualMonotonicClock()

  /// A shard with `list/a`, which has three items.
  private func shard(
    limits: AggregateRegistry.Limits = .init()
  ) async throws -> Shard {
    let shard = Shard(store, monotonic: clock, limits: limits) { $0.register(ItemList.self) }
    store.open()
    try await fill("list/a", in: shard)
    return shard
  }

  private func fill(_ stream: String, in shard: Shard) async throws {
    let add = (1...3).map { ("add-\($0)", "add", #"{"text":"item"}"#) }
    let tokens = try await shard.submit(
      [("create", "create", #"{"title":"t","template":"todo"}"#)] + add, to: stream)
    for answer in await shard.answers(to: tokens) { _ = try answer.get() }
  }

  @discardableResult
  private func done(
    _ shard: Shard, _ name: String, _ data: String, to stream: String = "list/a"
  ) async throws -> CommandReceipt {
    let id = "\(name)-\(data.hashValue)"
    let tokens = try await shard.submit([(id, name, data)], to: stream)
    return try await shard.answers(to: tokens)[0].get()
  }

  @Test("end in time though nothing comes in, and write nothing")
  func expiry() async throws {
    let shard = try await shard()
    defer { shard.stop() }
    let head = store.head
    try await done(shard, "drag-begin", #"{"item":1,"session":"d"}"#)
    clock.advance(by: 9999)
    try await done(shard, "drag-over", #"{"session":"d","last":true}"#)
    clock.advance(by: 9999)
    #expect(await shard.previews.count == 2)
    clock.advance(by: 1)
    #expect(
      await shard.previews(3).last == #"list/a {"session":"d","item":1,"ended":"expired"}"#)
    #expect(store.head == head)
    await #expect(throws: ServiceError.self) {
      try await done(shard, "drop", #"{"session":"d"}"#)
    }
  }

  @Test("are shown once what they rest on is durable")
  func durability() async throws {
    let shard = try await shard()
    defer { shard.stop() }
    store.close()
    let tokens = try await shard.submit([
      ("new", "add", #"{"text":"new"}"#), ("begin", "drag-begin", #"{"item":4,"session":"d"}"#),
      ("over", "drag-over", #"{"session":"d","first":true}"#),
    ])
    while store.heldBatches == 0 { try await Task.sleep(nanoseconds: 1_000_000) }
    #expect(await shard.previews.isEmpty)
    store.release()
    #expect(
      await shard.previews(2) == [
        #"list/a {"session":"d","item":4,"section":1,"after":3}"#,
        #"list/a {"session":"d","item":4,"section":1,"after":null}"#,
      ])
    for answer in await shard.answers(to: tokens) { _ = try answer.get() }
  }

  @Test("end where the log does not take what was decided")
  func failure() async throws {
    let shard = try await shard()
    defer { shard.stop() }
    try await done(shard, "drag-begin", #"{"item":1,"session":"dropped"}"#)
    try await done(shard, "drag-begin", #"{"item":2,"session":"open"}"#)
    store.close()
    let tokens = try await shard.submit([
      ("over", "drag-over", #"{"session":"dropped","last":true}"#),
      ("drop", "drop", #"{"session":"dropped"}"#),
      ("more", "drag-over", #"{"session":"open","last":true}"#),
    ])
    while store.heldBatches == 0 { try await Task.sleep(nanoseconds: 1_000_000) }
    store.fail(with: .readOnly(reason: "the disk is full"))
    let results = await shard.answers(to: tokens).map { try? $0.get() }
    #expect(results[1] == nil)
    let shown = await shard.previews(5)
    #expect(
      Set(shown[2...].filter { $0.contains("ended") }) == [
        #"list/a {"session":"dropped","item":1,"ended":"gone"}"#,
        #"list/a {"session":"open","item":2,"ended":"gone"}"#,
      ])
    #expect(!shown.contains { $0.contains("\"dropped\",\"section") })
    store.open()
    await #expect(throws: ServiceError.self) {
      try await done(shard, "drag-over", #"{"session":"open","first":true}"#)
    }
    try await done(shard, "drag-begin", #"{"item":1,"session":"open"}"#)
  }

  @Test("keep their stream in memory, as long as something goes on")
  func eviction() async throws {
    var limits = AggregateRegistry.Limits()
    limits.residentAggregates = 1
    let shard = try await shard(limits: limits)
    defer { shard.stop() }
    try await done(shard, "drag-begin", #"{"item":1,"session":"d"}"#)
    for number in 1...20 { try await fill("list/\(number)", in: shard) }
    try await done(shard, "drag-over", #"{"session":"d","last":true}"#)
    #expect(try await done(shard, "drop", #"{"session":"d"}"#).eventCount == 1)
  }
}
