public import EventSourcing

/// Where a restore stops; what is named is restored, too.
public enum RestoreStop: Sendable, Equatable {
  case head
  /// 0 gives an empty log.
  case position(GlobalPosition)
  case time(Timestamp)

  /// Whether nothing of a segment is restored, and nothing behind it.
  func isBefore(_ header: SegmentHeader) -> Bool {
    switch self {
    case .head: false
    case .position(let position): header.first > position.rawValue
    case .time(let time): header.previousTime > time.microseconds
    }
  }

  /// Whether no record behind `position` is restored, as far as can be told without reading it.
  func isReached(at position: UInt64) -> Bool {
    if case .position(let last) = self { position >= last.rawValue } else { false }
  }

  /// How many of a batch's records are restored, counted from the front.
  func count(in batch: BatchWalk.Batch) -> Int {
    let all = Int(batch.header.count)
    switch self {
    case .head: return all
    case .position(let last):
      return last.rawValue < batch.header.first
        ? 0 : min(all, Int(last.rawValue - batch.header.first) + 1)
    case .time(let last):
      return batch.times.firstIndex { $0 > last.microseconds } ?? all
    }
  }
}
