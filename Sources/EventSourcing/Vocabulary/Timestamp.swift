/// An instant, in microseconds since 1970-01-01T00:00:00Z, written as RFC 3339 in UTC.
public struct Timestamp: Hashable, Comparable, Sendable, CustomStringConvertible {
  public let microseconds: Int64

  public init(microseconds: Int64) { self.microseconds = microseconds }

  public static func < (a: Timestamp, b: Timestamp) -> Bool { a.microseconds < b.microseconds }

  /// `2026-01-02T03:04:05.000006Z`: always UTC, always six digits.
  public var description: String {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 27) { buffer in
      write(to: buffer)
      return String(decoding: buffer, as: UTF8.self)
    }
  }

  /// Writes the text's 27 bytes; years are held to 0–9999.
  public func write(to out: UnsafeMutableBufferPointer<UInt8>) {
    let day = microseconds.flooredDivision(by: 86_400_000_000)
    let rest = microseconds - day * 86_400_000_000
    let (year, month, date) = CivilDate.fromDays(day)
    out.put(min(max(year, 0), 9999), digits: 4, at: 0)
    out[4] = UInt8(ascii: "-")
    out.put(month, digits: 2, at: 5)
    out[7] = UInt8(ascii: "-")
    out.put(date, digits: 2, at: 8)
    out[10] = UInt8(ascii: "T")
    out.put(Int(rest / 3_600_000_000), digits: 2, at: 11)
    out[13] = UInt8(ascii: ":")
    out.put(Int(rest / 60_000_000 % 60), digits: 2, at: 14)
    out[16] = UInt8(ascii: ":")
    out.put(Int(rest / 1_000_000 % 60), digits: 2, at: 17)
    out[19] = UInt8(ascii: ".")
    out.put(Int(rest % 1_000_000), digits: 6, at: 20)
    out[26] = UInt8(ascii: "Z")
  }

  /// Reads RFC 3339: any offset, 0–9 fraction digits (those past microseconds are cut), `T` or a
  /// space between date and time. Nil for anything else, impossible dates included; a leap second
  /// counts as the second after it.
  public init?(_ text: some StringProtocol) {
    var scanner = DigitScanner(bytes: Array(text.utf8))
    guard let year = scanner.digits(4), scanner.take("-"), let month = scanner.digits(2),
      scanner.take("-"), let day = scanner.digits(2), scanner.take("Tt "),
      let hour = scanner.digits(2), scanner.take(":"), let minute = scanner.digits(2),
      scanner.take(":"), let second = scanner.digits(2),
      let fraction = scanner.fraction(), let offset = scanner.offsetMinutes(), scanner.isAtEnd,
      hour < 24, minute < 60, second <= 60,
      let days = CivilDate.toDays(year: year, month: month, day: day)
    else { return nil }
    let seconds = days * 86_400 + Int64(hour * 3600 + (minute - offset) * 60 + second)
    microseconds = seconds * 1_000_000 + Int64(fraction)
  }
}

extension UnsafeMutableBufferPointer<UInt8> {
  fileprivate func put(_ value: Int, digits: Int, at index: Int) {
    var value = value
    for place in stride(from: index + digits - 1, through: index, by: -1) {
      self[place] = UInt8(ascii: "0") + UInt8(value % 10)
      value /= 10
    }
  }
}

extension Int64 {
  func flooredDivision(by divisor: Int64) -> Int64 {
    let quotient = self / divisor
    return self % divisor < 0 ? quotient - 1 : quotient
  }
}

/// The proleptic Gregorian calendar as day numbers, 0 = 1970-01-01 (the well-known 400-year-era
/// arithmetic).
enum CivilDate {
  static func fromDays(_ days: Int64) -> (year: Int, month: Int, day: Int) {
    let shifted = days + 719_468
    let era = shifted.flooredDivision(by: 146_097)
    let dayOfEra = shifted - era * 146_097
    let yearOfEra =
      (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    return (Int(yearOfEra + era * 400) + (month <= 2 ? 1 : 0), Int(month), Int(day))
  }

  static func toDays(year: Int, month: Int, day: Int) -> Int64? {
    guard (1...12).contains(month), day >= 1, day <= length(ofMonth: month, year: year) else {
      return nil
    }
    let shiftedYear = Int64(month <= 2 ? year - 1 : year)
    let era = shiftedYear.flooredDivision(by: 400)
    let yearOfEra = shiftedYear - era * 400
    let dayOfYear = Int64((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1)
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }

  static func length(ofMonth month: Int, year: Int) -> Int {
    switch month {
    case 4, 6, 9, 11: 30
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    default: 31
    }
  }
}

private struct DigitScanner {
  let bytes: [UInt8]
  var index = 0

  init(bytes: [UInt8]) { self.bytes = bytes }

  var isAtEnd: Bool { index == bytes.count }

  mutating func take(_ choices: StaticString) -> Bool {
    let allowed = UnsafeBufferPointer(start: choices.utf8Start, count: choices.utf8CodeUnitCount)
    guard index < bytes.count, allowed.contains(bytes[index]) else { return false }
    index += 1
    return true
  }

  mutating func digits(_ count: Int) -> Int? {
    guard index + count <= bytes.count else { return nil }
    var value = 0
    for byte in bytes[index..<index + count] {
      guard (48...57).contains(byte) else { return nil }
      value = value * 10 + Int(byte - 48)
    }
    index += count
    return value
  }

  /// Microseconds; 0 where there is no fraction, nil where it is malformed.
  mutating func fraction() -> Int? {
    guard take(".") else { return 0 }
    var value = 0
    var count = 0
    while index < bytes.count, (48...57).contains(bytes[index]), count < 9 {
      if count < 6 { value = value * 10 + Int(bytes[index] - 48) }
      count += 1
      index += 1
    }
    guard count > 0 else { return nil }
    for _ in min(count, 6)..<6 { value *= 10 }
    return value
  }

  mutating func offsetMinutes() -> Int? {
    if take("Zz") { return 0 }
    guard index < bytes.count else { return nil }
    let isWest = bytes[index] == UInt8(ascii: "-")
    guard take("+-"), let hours = digits(2), take(":"), let minutes = digits(2), hours < 24,
      minutes < 60
    else { return nil }
    return (isWest ? -1 : 1) * (hours * 60 + minutes)
  }
}
