internal import ActorRuntime
internal import FastJSON

enum AggregatePhase { case unloaded, loading, ready }

/// What became of a command that an aggregate was given.
enum TakeResult: Equatable {
  /// The open batch has got events.
  case events
  case noEvents
  /// It waits until a batch has room.
  case waitsForRoom
  /// It waits until the stream is loaded.
  case waits
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
  func failed(_ number: UInt64, _ line: inout BatchLine)
  /// When time alone changes what lives beside the state; nil for never.
  var liveDeadline: Int? { get }
  func advanceLive(to now: Int, _ line: inout BatchLine)
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
  /// The newest batch that has the slot among its owners.
  var listedInBatch: UInt64 = 0
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
