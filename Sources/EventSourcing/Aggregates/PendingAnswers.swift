// What an aggregate's actor keeps between a decision and its answer. None of it is nested in the
// generic actor: nested types would cost a metadata look-up with every use.

enum AggregatePhase { case unloaded, loading, ready }

/// Where the stream's last event is: known, or in a batch under way.
enum EventPlace {
  case durable(GlobalPosition)
  case inBatch(UInt64, index: Int)
}

/// An answer in line.
struct WaitingAnswer {
  let token: Int
  /// The batch that must be durable first.
  let batch: UInt64
  var answer: CommandAnswer
}

enum CommandAnswer {
  case error(ServiceError)
  case receipt(CommandReceipt)
  case written(CommandReceipt, place: EventPlace)
}

/// A command whose events are under way.
struct PendingCommand {
  let content: ContentHash
  let receipt: CommandReceipt
  let place: EventPlace
}

extension CommandAnswer {
  /// The answer once the batch that it waited for is durable, `first` being its first position.
  func result(first: GlobalPosition) -> Result<CommandReceipt, ServiceError> {
    switch self {
    case .error(let error): return .failure(error)
    case .receipt(let receipt): return .success(receipt)
    case .written(var receipt, .durable(let position)):
      receipt.position = position
      return .success(receipt)
    case .written(var receipt, .inBatch(_, let index)):
      receipt.position = first.advanced(by: index)
      return .success(receipt)
    }
  }

  /// The answer once the batch that it waited for has failed. What the log had written before stays
  /// written, whatever the command sent again was to wait for.
  func result(afterFailure error: ServiceError) -> Result<CommandReceipt, ServiceError> {
    switch self {
    case .receipt(let receipt): return .success(receipt)
    case .written(var receipt, .durable(let position)) where receipt.isDuplicate:
      receipt.position = position
      return .success(receipt)
    case .written, .error: return .failure(error)
    }
  }
}

/// What an aggregate did when it was let to decide.
struct DecideResult {
  /// Whether it added events to the batch.
  var hasEvents = false
  /// Whether commands are left that the batch had no room for.
  var hasMore = false
}
