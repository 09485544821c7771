public import EventSourcing

/// Something beside a log that tells of a position in it: a mark, or a view made from it.
public struct KnownHead: Sendable, Equatable {
  public let log: LogID
  public let position: UInt64

  public init(log: LogID, position: UInt64) {
    self.log = log
    self.position = position
  }
}

extension [KnownHead] {
  /// The furthest position that is known of a log; 0 where none is.
  func position(in log: LogID?) -> UInt64 {
    lazy.filter { $0.log == log && $0.position <= FileFormat.greatestPosition }
      .map(\.position).max() ?? 0
  }
}
