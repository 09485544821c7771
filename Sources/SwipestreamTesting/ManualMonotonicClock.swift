public import ActorRuntime

/// Monotonic time that stands still until it is told to go on.
public final class ManualMonotonicClock: MonotonicClock {
  private let time = Lock(0)

  public init() {}

  public var milliseconds: Int { time.withLock { $0 } }

  /// Lets `milliseconds` pass.
  public func advance(by milliseconds: Int) { time.withLock { $0 += milliseconds } }
}
