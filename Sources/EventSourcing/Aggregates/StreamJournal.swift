/// What a stream's owner knows of the stream besides the aggregate's state.
public struct StreamJournal {
  public let stream: StreamID
  /// What lives beside the aggregate's state; nil for nothing, as beside most.
  public var live: (any LiveState)?
  /// With the events that are under way.
  public internal(set) var revision = Revision.none
  /// Where the stream's last event is.
  var lastEvent = AnswerList.Place.durable(.start)
  /// The newest batch under way that holds this stream's events; 0 where none does.
  var newestBatch: UInt64 = 0
  /// How many batches under way hold this stream's events.
  var batchesUnderWay = 0

  init(_ stream: StreamID) { self.stream = stream }

  /// Takes in `count` events that went into batch `number`, the last of them at `last`.
  mutating func advance(by count: Int, in number: UInt64, last: Int) {
    revision = revision.advanced(by: count)
    lastEvent = .inBatch(number, index: last)
    guard newestBatch != number else { return }
    newestBatch = number
    batchesUnderWay += 1
  }

  /// Batch `number`, which holds this stream's events, is settled.
  ///
  /// - Parameter first: the position of its first event; nil where it failed.
  mutating func settle(_ number: UInt64, first: GlobalPosition?) {
    batchesUnderWay -= 1
    if newestBatch == number { newestBatch = 0 }
    if let first, case .inBatch(number, let index) = lastEvent {
      lastEvent = .durable(first.advanced(by: index))
    }
  }
}
