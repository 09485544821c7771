internal import ActorRuntime

/// How the work that falls due is getting on.
public struct ProcessStatus: Sendable, Equatable {
  public enum State: String, Sendable {
    /// Nothing is due, or what is waits for another try.
    case waiting
    case working
    /// The agenda cannot be asked, or the log takes nothing: tried again in a while.
    case failing
  }

  public var state = State.waiting
  /// Works begun and not ended.
  public var inFlight = 0
  /// Works done since the start.
  public var done = 0
  /// Works that failed and wait for another try; many of one kind in one stream count as one.
  public var postponed = 0
  /// When something falls due that is not due yet; nil where nothing will.
  public var next: Timestamp?
  /// The last that went wrong since the start; nil where nothing did.
  public var lastFailure: String?

  public init() {}
}

/// Where a runner tells its status, and everybody may read it.
public final class ProcessBoard: Sendable {
  private let shown = Lock(ProcessStatus())

  public init() {}

  /// Cheap, from any thread.
  public var status: ProcessStatus { shown.withLock { $0 } }

  func show(_ body: (inout ProcessStatus) -> Void) { shown.withLock { body(&$0) } }
}
