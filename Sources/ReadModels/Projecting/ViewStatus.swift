public import EventSourcing

/// How a view is doing.
public struct ViewStatus: Sendable, Equatable {
  public enum State: String, Sendable {
    /// Its rows reflect the log's head, or are a moment behind it.
    case live
    /// It takes in what the log has already.
    case catchingUp = "catching-up"
    /// A new file is built beside the one that answers.
    case rebuilding
    /// Some streams are left out, as one of their events could not be projected.
    case degraded
    /// The log or the view's file cannot be read or written; tried again every second.
    case failed
  }

  public let name: String
  public let version: UInt32
  /// The last event of the log that the view has taken in.
  public let position: GlobalPosition
  public let state: State
  /// How many events are parked.
  public let parked: Int
  /// Why the view failed; nil where it did not.
  public let reason: String?
}
