internal import EventSourcing

/// How often an item comes back.
public enum Repetition: String, Sendable, CaseIterable {
  case daily
  case weekly
  case monthly

  /// The first time behind both `start` and `time` that is a whole number of periods from `start`,
  /// in UTC; nil where that is beyond the year 9999.
  ///
  /// - Parameter day: on which day of a month a monthly item is due; in a month that has no such
  ///   day, on its last.
  func next(from start: Timestamp, day: Int, behind time: Timestamp) -> Timestamp? {
    guard Timestamp.writable.contains(start), Timestamp.writable.contains(time) else { return nil }
    let next =
      switch self {
      case .daily: Self.next(from: start, every: 86_400_000_000, behind: time)
      case .weekly: Self.next(from: start, every: 7 * 86_400_000_000, behind: time)
      case .monthly: Self.nextMonth(from: start, day: day, behind: time)
      }
    return Timestamp.writable.contains(next) ? next : nil
  }

  private static func next(
    from start: Timestamp, every period: Int64, behind time: Timestamp
  ) -> Timestamp {
    let passed = max(time.microseconds - start.microseconds, 0) / period
    return Timestamp(microseconds: start.microseconds + (passed + 1) * period)
  }

  private static func nextMonth(
    from start: Timestamp, day: Int, behind time: Timestamp
  ) -> Timestamp {
    let month = max(start.monthNumber + 1, time.monthNumber)
    let candidate = start.inMonth(month, day: day)
    return candidate > time ? candidate : start.inMonth(month + 1, day: day)
  }
}
