internal import ActorRuntime
internal import FastJSON

enum AggregatePhase { case unloaded, loading, ready }

/// What became of a command that an aggregate was given.
enum TakeResult {
  /// The open batch has got events.
  case events
  case noEvents
  /// It waits until a batch has room.
  case waitsForRoom
}

/// An aggregate's actor as its shard sees it, whatever the aggregate's type.
///
/// The shard runs on the actor's own executor, so every call here is synchronous.
protocol StreamOwner: AnyObject {
  var isIdle: Bool { get }
  /// About how many bytes of memory the aggregate takes now.
  var memoryFootprint: Int { get }
  func take(_ command: IncomingCommand, _ line: inout BatchLine, hasRoom: Bool) -> TakeResult
  func decideWaiting(_ line: inout BatchLine, limit: Int, parser: JSONParser) -> TakeResult
  func committed(_ number: UInt64, first: GlobalPosition)
  func failed(_ number: UInt64)
  func refuseAfterFailedLoad(_ line: inout BatchLine)
  func isWaiting(_ id: CommandID) -> Bool
  func prepareForEviction()
}

/// What the shard keeps of one stream.
final class AggregateSlot {
  let stream: StreamID
  /// The stream's name in UTF-8.
  let name: [UInt8]
  let owner: any StreamOwner
  /// The shard's turn in which the slot was last used.
  var lastUse: UInt64 = 0
  /// The newest batch that holds events of the stream.
  var newestBatch: UInt64 = 0
  /// What of the aggregate's memory the registry counts.
  var countedBytes = 0
  /// Whether the registry knows that commands wait here.
  var isWaiting = false

  init(_ stream: StreamID, _ owner: any StreamOwner) {
    self.stream = stream
    name = Array(stream.description.utf8)
    self.owner = owner
  }
}

final class IsolatedOwner<A: Aggregate>: StreamOwner {
  private let actor: AggregateActor<A>

  init(_ actor: AggregateActor<A>) { self.actor = actor }

  var isIdle: Bool { actor.assumeIsolated { $0.isIdle } }

  var memoryFootprint: Int { actor.assumeIsolated { $0.memoryFootprint } }

  func take(_ command: IncomingCommand, _ line: inout BatchLine, hasRoom: Bool) -> TakeResult {
    nonisolated(unsafe) let command = command
    return isolated(&line) { $0.take(command, &$1, hasRoom: hasRoom) }
  }

  func decideWaiting(_ line: inout BatchLine, limit: Int, parser: JSONParser) -> TakeResult {
    nonisolated(unsafe) let parser = parser
    return isolated(&line) { $0.decideWaiting(&$1, limit: limit, parser: parser) }
  }

  func committed(_ number: UInt64, first: GlobalPosition) {
    actor.assumeIsolated { $0.committed(number, first: first) }
  }

  func failed(_ number: UInt64) { actor.assumeIsolated { $0.failed(number) } }

  func refuseAfterFailedLoad(_ line: inout BatchLine) {
    isolated(&line) { $0.refuseAfterFailedLoad(&$1) }
  }

  func isWaiting(_ id: CommandID) -> Bool { actor.assumeIsolated { $0.isWaiting(id) } }

  func prepareForEviction() { actor.assumeIsolated { $0.prepareForEviction() } }

  /// Lends the shard's line to the actor. Both are on the shard's executor, which is checked, and
  /// the call is synchronous; the compiler knows neither, so it is told that nothing is sent.
  private func isolated<Result: Sendable>(
    _ line: inout BatchLine, _ body: (isolated AggregateActor<A>, inout BatchLine) -> Result
  ) -> Result {
    withUnsafeMutablePointer(to: &line) { pointer in
      nonisolated(unsafe) let pointer = pointer
      nonisolated(unsafe) let body = body
      return actor.assumeIsolated { body($0, &pointer.pointee) }
    }
  }
}
