internal import ActorRuntime
internal import EventSourcing

typealias AppendCompletion = @Sendable (Result<AppendReceipt, AppendError>) -> Void

/// What waits for the writer.
struct AppendRequest: Sendable {
  enum Content: Sendable {
    case batch(AppendBatch)
    /// It did not fit into the queue; its refusal keeps its turn.
    case overload
  }

  let content: Content
  let completion: AppendCompletion
}

/// A request whose answer waits until everything before it is durable.
struct PendingAnswer {
  let result: Result<AppendReceipt, AppendError>
  let completion: AppendCompletion

  init(result: Result<AppendReceipt, AppendError>, completion: @escaping AppendCompletion) {
    self.result = result
    self.completion = completion
  }

  /// The answer to a request that nothing was done for, because the log takes nothing now.
  init(unwritten request: AppendRequest, reason: String) {
    completion = request.completion
    result =
      switch request.content {
      case .batch: .failure(.readOnly(reason: reason))
      case .overload: .failure(.overloaded)
      }
  }

  func give() { completion(result) }

  /// Answers that what was written is taken back.
  func refuse(reason: String) {
    if case .failure(.overloaded) = result { return give() }
    completion(.failure(.readOnly(reason: reason)))
  }
}

/// The line in front of the writer.
struct AppendQueue: Sendable {
  private let queue: BoundedQueue<AppendRequest>
  private let limit: Int

  init(limit: Int) {
    self.limit = limit
    queue = BoundedQueue(limit: limit)
  }

  /// Puts a batch in the line. Whatever becomes of it is told on the writer's thread, unless that
  /// has ended.
  func push(_ batch: AppendBatch, completion: @escaping AppendCompletion) {
    let weight = min(Self.weight(of: batch), limit)
    let isTooLarge = batch.storedLength > EventLogConfiguration.appendBytesLimit
    if !isTooLarge,
      queue.push(AppendRequest(content: .batch(batch), completion: completion), weight: weight)
    {
      return
    }
    // No weight is above the limit, so one of 0 is refused only by a closed queue.
    let refusal = AppendRequest(content: .overload, completion: completion)
    if !queue.push(refusal, weight: 0) { completion(.failure(.closed)) }
  }

  /// Roughly what a batch takes in memory while it waits.
  private static func weight(of batch: AppendBatch) -> Int {
    256 + batch.bytes.count + batch.events.count * 64 + batch.streams.count * 64
  }

  func popAll(milliseconds: Int? = nil) -> [AppendRequest]? {
    queue.popAll(milliseconds: milliseconds)
  }

  func close() { queue.close() }
}
