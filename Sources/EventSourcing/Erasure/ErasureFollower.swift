/// Something besides the log that keeps text of events, and has to let go of what is erased.
public protocol ErasureFollower: Sendable {
  /// Returns once nothing is left of what the events up to `position` erased from `streams`. The
  /// log has lost it already.
  ///
  /// - Throws: why that is not so; it is asked again later.
  func forget(_ streams: Set<StreamID>, upTo position: GlobalPosition) async throws(ServiceError)
}

/// Remembers how far a log was searched for erasures, so that a start does not search it all again.
/// It may forget; it must not tell another log's position.
public protocol ErasureProgress: Sendable {
  /// What was saved for this log; nil where nothing was.
  func load(log: LogID) -> GlobalPosition?

  /// All that was asked for up to `position` is erased.
  func save(_ position: GlobalPosition, log: LogID)
}

/// How the erasing is getting on.
public struct ErasureStatus: Sendable, Equatable {
  /// Everything that was asked for up to here is erased.
  public var position: GlobalPosition
  /// How many mails and items are known to wait for it.
  public var pending: Int
  /// How many records of finished erasures the log has.
  public var completed: Int
  /// Why the last try failed; nil where none has since the last success.
  public var error: String?
}
