/// Months of the Gregorian calendar in UTC, in which there are neither time zones nor summer time.
extension Timestamp {
  /// The day of its month, from 1.
  public var dayOfMonth: Int { civil.day }

  /// Months since the beginning of the year 0, so that the next month is one more.
  public var monthNumber: Int { civil.year * 12 + civil.month - 1 }

  /// The same time of day on another month's `day`, or on its last day where it has no such day.
  ///
  /// - Parameters:
  ///   - number: as ``monthNumber`` counts, of the years 0 to 9999.
  ///   - day: 1 to 31.
  public func inMonth(_ number: Int, day: Int) -> Timestamp {
    let (year, month) = (number / 12, number % 12 + 1)
    let date = min(day, CivilDate.length(ofMonth: month, year: year))
    let days = CivilDate.toDays(year: year, month: month, day: date) ?? 0
    let timeOfDay = microseconds - dayNumber * Self.day
    return Timestamp(microseconds: days * Self.day + timeOfDay)
  }

  private static let day: Int64 = 86_400_000_000

  private var dayNumber: Int64 { microseconds.flooredDivision(by: Self.day) }

  private var civil: (year: Int, month: Int, day: Int) { CivilDate.fromDays(dayNumber) }
}
