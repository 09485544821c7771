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
final class AppendQueue: Sendable {
  /// What came after the queue was closed, while the writer still answers what came before.
  private struct Latecomers {
    var waiting: [AppendCompletion] = []
    var isClosed = false
    var hasWriterEnded = false
  }

  private let queue: BoundedQueue<AppendRequest>
  private let limit: Int
  private let latecomers = Lock(Latecomers())

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
    if !queue.push(refusal, weight: 0) { refuseAsClosed(completion) }
  }

  private func refuseAsClosed(_ completion: @escaping AppendCompletion) {
    let isLast = latecomers.withLock { latecomers in
      if !latecomers.hasWriterEnded { latecomers.waiting.append(completion) }
      return latecomers.hasWriterEnded
    }
    if isLast { completion(.failure(.closed)) }
  }

  /// Answers what came too late; called once all that came in time has its answer.
  func writerEnds() {
    while true {
      let waiting = latecomers.withLock { latecomers in
        if latecomers.waiting.isEmpty { latecomers.hasWriterEnded = true }
        defer { latecomers.waiting = [] }
        return latecomers.waiting
      }
      if waiting.isEmpty { return }
      for completion in waiting { completion(.failure(.closed)) }
    }
  }

  /// Roughly what a batch takes in memory while it waits.
  private static func weight(of batch: AppendBatch) -> Int {
    256 + batch.byteCount + batch.events.count * 64 + batch.streams.count * 64
  }

  func popAll(milliseconds: Int? = nil) -> [AppendRequest]? {
    queue.popAll(milliseconds: milliseconds)
  }

  func close() {
    queue.close()
    latecomers.withLock { $0.isClosed = true }
  }

  /// Whether everything is refused from now on.
  var isClosed: Bool { latecomers.withLock { $0.isClosed } }
}
