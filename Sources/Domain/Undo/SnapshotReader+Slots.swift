internal import EventSourcing

extension SnapshotReader {
  /// A mail's, an item's or a section's number, or 0.
  mutating func slot() throws(SnapshotDecodingError) -> UInt32 {
    UInt32(try number(upTo: Int(UInt32.max)))
  }
}
