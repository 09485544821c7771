/// How a log is checked in the background.
public struct ScrubConfiguration: Sendable {
  /// How much is read in a second; 0 turns it off.
  public var bytesPerSecond = 16_000_000
  /// How long to wait between two passes, in milliseconds: a day.
  public var pauseMilliseconds = 86_400_000

  public init() {}
}
