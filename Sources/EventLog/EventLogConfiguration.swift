/// The limits of a ``SegmentedEventStore``.
public struct EventLogConfiguration: Sendable {
  /// A segment is full at this many bytes, which are reserved on the disk when it is made. 64 KiB
  /// to 1 GiB; a batch that is larger still gets a segment of its own.
  public var segmentBytes = 64 << 20

  /// How many of the last commands that wrote events are remembered: see `CommandHorizon` for
  /// what one costs. At least 1.
  public var commandHorizon = 1_000_000

  /// How many bytes may wait for the disk; a batch beyond is refused as overloaded.
  public var queueBytes = 256 << 20

  /// How long a failed disk is left alone before the next try, in milliseconds.
  public var probeMilliseconds = 1000

  /// How many bytes of sealed segments' indexes are kept in memory.
  public var indexCacheBytes = 64 << 20

  /// How many streams' revisions are kept in memory, besides those of the newest segment.
  public var revisionCacheEntries = 100_000

  /// How many sealed segments are kept open.
  public var openSegments = 64

  /// How far others say that the log goes; one that ends before is not opened.
  public var knownHeads: [KnownHead] = []

  /// Tests shorten the hash that streams are found by, to make it collide.
  package var streamHashMask = UInt64.max
  /// Tests may go below the least segment size.
  package var allowsTinySegments = false

  public init() {}

  /// How many bytes a batch on the disk should not exceed.
  static let diskBatchBytes = 8 << 20
  /// A larger append is refused: offsets in a segment have 32 bits.
  static let appendBytesLimit = 1 << 30

  var effectiveSegmentBytes: Int {
    allowsTinySegments ? segmentBytes : min(max(segmentBytes, 64 << 10), 1 << 30)
  }
}
