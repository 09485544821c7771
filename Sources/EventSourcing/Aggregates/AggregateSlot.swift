internal import ActorRuntime
internal import FastJSON

/// An aggregate's actor as its shard sees it, whatever the aggregate's type.
///
/// The shard runs on the actor's own executor, so every call here is synchronous.
protocol AggregateSlot: AnyObject {
  var isIdle: Bool { get }
  /// The shard's turn in which the slot was last used.
  var lastUse: UInt64 { get set }
  /// About how many bytes of memory the aggregate takes now.
  var memoryFootprint: Int { get }
  /// What of them the registry counts.
  var countedBytes: Int { get set }

  func enqueue(_ header: CommandHeader, name: String, data: Result<JSONValue, ServiceError>)
  func decide(
    into batch: inout AppendBatch, number: UInt64, limit: Int, replies: inout [CommandReply]
  ) -> DecideResult
  func committed(_ number: UInt64, first: GlobalPosition, replies: inout [CommandReply])
  func failed(_ number: UInt64, _ error: ServiceError, replies: inout [CommandReply])
  func refuseAfterFailedLoad(replies: inout [CommandReply])
  func isPending(_ id: CommandID) -> Bool
  func prepareForEviction()
}

final class TypedAggregateSlot<A: Aggregate>: AggregateSlot {
  private let actor: AggregateActor<A>
  var lastUse: UInt64 = 0
  var countedBytes = 0

  init(_ actor: AggregateActor<A>) { self.actor = actor }

  var isIdle: Bool { actor.assumeIsolated { $0.isIdle } }

  var memoryFootprint: Int { actor.assumeIsolated { $0.memoryFootprint } }

  func prepareForEviction() { actor.assumeIsolated { $0.prepareForEviction() } }

  func isPending(_ id: CommandID) -> Bool { actor.assumeIsolated { $0.isPending(id) } }

  func enqueue(_ header: CommandHeader, name: String, data: Result<JSONValue, ServiceError>) {
    let content: Result<A.Command, ServiceError>
    do throws(ServiceError) {
      content = .success(try A.Command(name: name, data: try data.get()))
    } catch {
      content = .failure(error)
    }
    let envelope = CommandEnvelope(header: header, content: content)
    actor.assumeIsolated { $0.enqueue(envelope) }
  }

  func decide(
    into batch: inout AppendBatch, number: UInt64, limit: Int, replies: inout [CommandReply]
  ) -> DecideResult {
    actor.assumeIsolated {
      $0.decide(into: &batch, number: number, limit: limit, replies: &replies)
    }
  }

  func committed(_ number: UInt64, first: GlobalPosition, replies: inout [CommandReply]) {
    actor.assumeIsolated { $0.committed(number, first: first, replies: &replies) }
  }

  func failed(_ number: UInt64, _ error: ServiceError, replies: inout [CommandReply]) {
    actor.assumeIsolated { $0.failed(number, error, replies: &replies) }
  }

  func refuseAfterFailedLoad(replies: inout [CommandReply]) {
    actor.assumeIsolated { $0.refuseAfterFailedLoad(replies: &replies) }
  }
}
