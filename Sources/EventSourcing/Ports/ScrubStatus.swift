/// How far an engine is with checking, in the background, what it stored long ago.
public struct ScrubStatus: Sendable, Equatable {
  public enum State: String, Sendable {
    case running
    /// Between two passes.
    case waiting
    case off
  }

  /// A place that is not as it was written.
  public struct Damage: Sendable, Equatable {
    public let file: String
    public let offset: Int
    public let positions: ClosedRange<UInt64>?
    public let reason: String

    public init(file: String, offset: Int, positions: ClosedRange<UInt64>?, reason: String) {
      self.file = file
      self.offset = offset
      self.positions = positions
      self.reason = reason
    }
  }

  public var state: State
  /// How often everything was checked since the start.
  public var passes = 0
  /// The last position that was checked.
  public var position = GlobalPosition.start
  /// When the last pass ended.
  public var lastCompleted: Timestamp?
  /// What is damaged, as each place was last seen.
  public var damage: [Damage] = []

  public init(state: State) { self.state = state }
}
