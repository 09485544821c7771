import ActorRuntime
import Domain
import EventSourcing
import FastJSON
import Glibc
import SwipestreamTesting

/// A store whose appends wait until they are let through, or refused.
final class GatedEventStore: EventStore {
  typealias Completion = @Sendable (Result<AppendReceipt, AppendError>) -> Void

  let inner = InMemoryEventStore()
  private let held = Lock<[(AppendBatch, Completion)]>([])
  private let isOpen = Lock(false)

  func open() {
    isOpen.withLock { $0 = true }
    release()
  }

  func close() { isOpen.withLock { $0 = false } }

  var heldBatches: Int { held.withLock { $0.count } }

  /// Lets `count` held batches through, all without a count.
  func release(_ count: Int = .max) {
    for (batch, completion) in take(count) { inner.append(batch, completion: completion) }
  }

  func fail(with error: AppendError) {
    for (_, completion) in take(.max) { completion(.failure(error)) }
  }

  private func take(_ count: Int) -> [(AppendBatch, Completion)] {
    held.withLock { held in
      let taken = Array(held.prefix(count))
      held.removeFirst(taken.count)
      return taken
    }
  }

  func append(_ batch: AppendBatch, completion: @escaping Completion) {
    if isOpen.withLock({ $0 }) { return inner.append(batch, completion: completion) }
    held.withLock { $0.append((batch, completion)) }
  }

  var logID: LogID { inner.logID }
  var head: GlobalPosition { inner.head }
  var statistics: StoreStatistics { inner.statistics }
  func read(after position: GlobalPosition, limit: ReadLimit) throws(ReadError) -> [RecordedEvent] {
    try inner.read(after: position, limit: limit)
  }
  func read(before position: GlobalPosition, limit: ReadLimit) throws(ReadError) -> [RecordedEvent]
  {
    try inner.read(before: position, limit: limit)
  }
  func read(
    _ stream: StreamID, after revision: Revision, limit: ReadLimit
  ) throws(ReadError) -> [RecordedEvent] {
    try inner.read(stream, after: revision, limit: limit)
  }
  func revision(of stream: StreamID) throws(ReadError) -> Revision {
    try inner.revision(of: stream)
  }
  func command(_ id: CommandID, in stream: StreamID) throws(ReadError) -> RecordedCommand? {
    try inner.command(id, in: stream)
  }
  func redact(_ redactions: [Redaction]) throws(RedactionError) { try inner.redact(redactions) }
  func position(at time: Timestamp) throws(ReadError) -> GlobalPosition {
    try inner.position(at: time)
  }
  func observeHead(_ body: @escaping @Sendable (GlobalPosition) -> Void) -> HeadObservation {
    inner.observeHead(body)
  }
  func cancel(_ observation: HeadObservation) { inner.cancel(observation) }
}

/// A shard as the command server drives one, with the answers kept by token.
actor Shard: PolledActor {
  /// An answer, kept.
  struct Reply {
    let token: Int
    let id: String
    let result: Result<CommandReceipt, ServiceError>
  }

  nonisolated let executor: PollingExecutor
  private let registry: AggregateRegistry
  private let parser = JSONParser()
  private var nextToken = 0
  /// In the order they came out.
  private(set) var replies: [Reply] = []
  private(set) var previews: [StreamPreview] = []
  private nonisolated let stopLoading: @Sendable () -> Void

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  init(
    _ store: any EventStore, snapshots: (any SnapshotStore)? = nil,
    monotonic: any MonotonicClock = SystemMonotonicClock(),
    limits: AggregateRegistry.Limits = .init(),
    register: @Sendable (AggregateRegistry) -> Void = {
      $0.register(Counter.self)
      $0.register(Mailbox.self)
    }
  ) {
    executor = PollingExecutor(name: "test shard")
    registry = AggregateRegistry(
      store: store, snapshots: snapshots, executor: executor, clock: SystemClock(),
      monotonic: monotonic, limits: limits)
    register(registry)
    stopLoading = registry.stopLoading
    executor.start(driving: self)
  }

  nonisolated func stop() {
    stopLoading()
    executor.stop()
  }

  func turn(mayBlock: Bool) {
    if registry.hasWork {
      registry.run(
        { answer in
          replies.append(
            Reply(
              token: answer.token, id: String(decoding: answer.id, as: UTF8.self),
              result: answer.result.map { CommandReceipt($0) }))
        }, showing: { previews.append($0) })
    }
    guard mayBlock, !registry.hasWork else { return }
    var item = pollfd(fd: executor.wakeDescriptor, events: Int16(POLLIN), revents: 0)
    _ = poll(&item, 1, 1000)
  }

  /// Takes in commands together, as one turn's worth.
  ///
  /// - Returns: their tokens.
  func submit(
    _ commands: [(id: String, name: String, data: String)], to stream: String = "list/a",
    expecting expected: UInt64? = nil
  ) throws -> [Int] {
    defer { withExtendedLifetime(parser) {} }
    return try commands.map { command in
      nextToken += 1
      let value = try parser.parse(Array(command.data.utf8))
      try stream.withJSONText { stream throws(ServiceError) in
        try command.name.withJSONText { name throws(ServiceError) in
          try registry.submit(
            IncomingCommand(
              id: CommandID(command.id)!, stream: stream, name: name, data: .success(value),
              expected: expected.map { Revision($0) }, metadata: CommandMetadata(),
              token: nextToken))
        }
      }
      return nextToken
    }
  }

  func isPending(_ id: String, in stream: String = "list/a") throws -> Bool {
    registry.isPending(CommandID(id)!, in: try StreamID(stream))
  }

  /// The first `count` previews, once there are as many.
  nonisolated func previews(_ count: Int) async -> [String] {
    while await previews.count < count { try? await Task.sleep(nanoseconds: 1_000_000) }
    return await previews.map { "\($0.stream) \(String(decoding: $0.object, as: UTF8.self))" }
  }

  var residentAggregates: Int { registry.residentAggregates }
  var residentBytes: Int { registry.residentBytes }
  var snapshotCounts: SnapshotCounts? { registry.snapshotCounts }

  /// The answers to these commands, once all are there.
  nonisolated func answers(
    to tokens: [Int]
  ) async -> [Result<CommandReceipt, ServiceError>] {
    while true {
      let replies = await replies
      let known = Dictionary(uniqueKeysWithValues: replies.map { ($0.token, $0.result) })
      let found = tokens.compactMap { known[$0] }
      if found.count == tokens.count { return found }
      try? await Task.sleep(nanoseconds: 1_000_000)
    }
  }
}
