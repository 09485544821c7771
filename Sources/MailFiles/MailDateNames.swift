extension MailDate {
  private static let months = [
    "january", "february", "march", "april", "may", "june", "july", "august", "september",
    "october", "november", "december",
  ]
  private static let weekdays = [
    "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
  ]
  /// Hours east of Greenwich: those of RFC 5322, section 4.3, and common unambiguous ones.
  private static let zones = [
    "z": 0, "ut": 0, "utc": 0, "gmt": 0, "wet": 0, "west": 1, "cet": 1, "met": 1, "cest": 2,
    "mest": 2, "eet": 2, "eest": 3, "msk": 3, "jst": 9, "est": -5, "edt": -4, "cst": -6,
    "cdt": -5, "mst": -7, "mdt": -6, "pst": -8, "pdt": -7,
  ]

  /// A month, a weekday, a zone, AM or PM.
  mutating func readName(_ word: Substring) -> Bool {
    let name = word.lowercased()
    if name.utf8.count >= 3 {
      if let index = Self.months.firstIndex(where: { $0.hasPrefix(name) }) {
        defer { month = index + 1 }
        return month == nil
      }
      if Self.weekdays.contains(where: { $0.hasPrefix(name) }) {
        defer { hasWeekday = true }
        return !hasWeekday
      }
    }
    if name == "am" || name == "pm" { return readHalfDay(isAfternoon: name == "pm") }
    return readZone(word, name: name)
  }

  private mutating func readHalfDay(isAfternoon: Bool) -> Bool {
    guard let hour = time?.hour, (1...12).contains(hour) else { return false }
    time?.hour = hour % 12 + (isAfternoon ? 12 : 0)
    return true
  }

  /// An unknown name counts as UTC (RFC 5322, section 4.3) if it looks like a zone's name.
  private mutating func readZone(_ word: Substring, name: String) -> Bool {
    if let plus = word.utf8.firstIndex(of: UInt8(ascii: "+")) {
      return ["GMT", "UTC"].contains(word[..<plus]) && readOffset(word[plus...])
    }
    guard time != nil, namedZone == nil else { return false }
    let hours = Self.zones[name]
    let looksRight = word.utf8.count <= 5 && word.utf8.allSatisfy { $0 >= 0x41 && $0 <= 0x5A }
    guard hours != nil || looksRight else { return false }
    namedZone = (hours ?? 0) * 3600
    return true
  }
}

extension MailDate {
  /// RFC 3339 in UTC; nil where the date does not exist or is outside of the years 1–9999.
  var timestamp: String? {
    guard let year, let month, let day, let time, (1...9999).contains(year),
      (1...12).contains(month), (1...Self.days(in: month, of: year)).contains(day),
      time.hour < 24, time.minute < 60, time.second <= 60, zone != Int.max
    else { return nil }
    let clock = time.hour * 3600 + time.minute * 60 + time.second
    let seconds = Self.dayNumber(year, month, day) * 86400 + clock - (zone ?? namedZone ?? 0)
    return Self.format(seconds: seconds)
  }

  private static func days(in month: Int, of year: Int) -> Int {
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    return [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
  }

  /// Days since 1 March of year 0 in the Gregorian calendar; years begin in March so that the
  /// leap day is the last.
  private static func dayNumber(_ year: Int, _ month: Int, _ day: Int) -> Int {
    let marchYear = month > 2 ? year : year - 1
    let marchMonth = (month + 9) % 12
    return marchYear * 365 + marchYear / 4 - marchYear / 100 + marchYear / 400
      + (marchMonth * 153 + 2) / 5 + day - 1
  }

  private static func format(seconds: Int) -> String? {
    guard seconds >= dayNumber(1, 1, 1) * 86400 else { return nil }
    let (days, clock) = seconds.quotientAndRemainder(dividingBy: 86400)
    var year = days / 366  // never too high, and little too low
    while dayNumber(year + 1, 1, 1) <= days { year += 1 }
    guard (1...9999).contains(year) else { return nil }
    var month = 12
    while dayNumber(year, month, 1) > days { month -= 1 }
    let day = days - dayNumber(year, month, 1) + 1
    return padded(year, 4) + "-" + padded(month, 2) + "-" + padded(day, 2) + "T"
      + padded(clock / 3600, 2) + ":" + padded(clock / 60 % 60, 2) + ":" + padded(clock % 60, 2)
      + ".000000Z"
  }

  private static func padded(_ value: Int, _ width: Int) -> String {
    let digits = String(value)
    return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
  }
}
