/// Values handed from any thread to an actor on a ``PollingExecutor``, taken in batches.
///
/// An actor call per value would cost a task each; this costs a lock and, if the actor sleeps, one
/// write to wake it.
public final class Handoff<Value: Sendable>: Sendable {
  private let values = Lock<[Value]>([])
  private let executor: PollingExecutor

  public init(to executor: PollingExecutor) { self.executor = executor }

  /// Gives a value; values of one thread arrive in order.
  public func give(_ value: Value) {
    values.withLock { $0.append(value) }
    executor.wake()
  }

  /// Takes all that was given since the last call.
  public func takeAll() -> [Value] {
    values.withLock { values in
      if values.isEmpty { return [] }
      defer { values = [] }
      return values
    }
  }

  public var isEmpty: Bool { values.withLock { $0.isEmpty } }
}
