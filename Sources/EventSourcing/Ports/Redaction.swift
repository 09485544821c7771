/// New text for a stored event: what ``EventStore/redact(_:)`` puts in the old one's place.
public struct Redaction: Sendable, Equatable {
  public let position: GlobalPosition
  /// A JSON object, exactly as long as the stored one.
  public let data: [UInt8]
  /// A JSON object, exactly as long as the stored one.
  public let meta: [UInt8]

  public init(position: GlobalPosition, data: [UInt8], meta: [UInt8]) {
    self.position = position
    self.data = data
    self.meta = meta
  }
}

/// Why events were not redacted. Each of them has its old text or its new one; calling again with
/// the same redactions finishes the work.
public enum RedactionError: Error, Sendable, Equatable, CustomStringConvertible {
  /// No event has this position, or its text has another length. Nothing was changed.
  case unfit(GlobalPosition)
  /// The storage could not be written.
  case unwritten(reason: String)
  case unreadable(ReadError)
  /// The engine is stopped, or stops.
  case closed

  public var description: String {
    switch self {
    case .unfit(let position):
      "the event at position \(position) is not there or is not as long as its new text"
    case .unwritten(let reason): reason
    case .unreadable(let error): error.description
    case .closed: "the log is closed"
    }
  }
}
