/// When a snapshot is worth its making.
///
/// A snapshot takes no more bytes than its state does in memory, an event at least 100 in the log.
/// So what is written as snapshots of an aggregate in use is at most as many bytes as its events
/// took; one that is let go and loaded again all the time may write four times as many.
enum SnapshotPolicy {
  /// Whether an aggregate in use should get one, `events` behind its last.
  static func isDue(events: UInt64, footprint: Int) -> Bool {
    events >= UInt64(max(32_768, footprint / 100))
  }

  /// Whether one should be made that was just replayed, or that will have to be.
  static func isWorthwhile(events: UInt64, footprint: Int) -> Bool {
    events >= UInt64(max(100, footprint / 400))
  }
}
