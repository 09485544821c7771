public import EventSourcing

/// What a log is made of, from headers, indexes and the newest segment: quick, and without a lock.
public struct LogStatistics: Sendable {
  public struct SegmentPart: Sendable {
    public let file: String
    public let first: UInt64
    public let records: Int
    /// Bytes in use.
    public let bytes: Int
    /// Bytes on the disk.
    public let size: Int
    public let created: Timestamp
  }

  public let log: LogID
  public let head: UInt64
  /// Of the first and the last event; nil while there is none.
  public internal(set) var firstTime: Timestamp?
  public internal(set) var lastTime: Timestamp?
  public let segments: [SegmentPart]
  /// How many streams there are; nil where an index that tells is missing.
  public internal(set) var streams: Int?
  /// How many commands wrote events; nil where an index that tells is missing.
  public internal(set) var commands: Int?
  /// Sealed segments whose index is missing or worthless; it is made again when it is needed.
  public internal(set) var indexesToRebuild = 0
  /// Where a write begins that never finished; the next start cuts it.
  public internal(set) var unfinished: LogPlace?

  public var records: Int { segments.reduce(0) { $0 + $1.records } }
  public var bytes: Int { segments.reduce(0) { $0 + $1.bytes } }
  /// Room that the newest segment has on the disk and does not use yet.
  public var reserved: Int { segments.reduce(0) { $0 + $1.size - $1.bytes } }
}
