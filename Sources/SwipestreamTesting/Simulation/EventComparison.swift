internal import EventSourcing
internal import Glibc

/// Comparing millions of events takes most of a simulation's time, and in a debug build `==` on
/// slices goes byte by byte.
extension Collection<RecordedEvent> {
  /// Whether these are the same events as the first of `other`, and no more than those.
  func isPrefix(of other: some Collection<RecordedEvent>) -> Bool {
    count <= other.count && zip(self, other).allSatisfy { $0.isSame(as: $1) }
  }

  func isSame(as other: some Collection<RecordedEvent>) -> Bool {
    count == other.count && isPrefix(of: other)
  }
}

extension RecordedEvent {
  func isSame(as other: RecordedEvent) -> Bool {
    position == other.position && revision == other.revision && time == other.time
      && schema == other.schema && type == other.type && stream == other.stream
      && data.hasSameBytes(as: other.data) && meta.hasSameBytes(as: other.meta)
  }
}

extension ArraySlice<UInt8> {
  fileprivate func hasSameBytes(as other: ArraySlice<UInt8>) -> Bool {
    guard count == other.count else { return false }
    return withUnsafeBytes { mine in
      other.withUnsafeBytes { theirs in
        guard let a = mine.baseAddress, let b = theirs.baseAddress else { return true }
        return memcmp(a, b, mine.count) == 0
      }
    }
  }
}
