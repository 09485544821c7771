/// A date as mail writes it: RFC 5322 with its obsolete forms, ctime as in mbox `From ` lines,
/// and ISO 8601. Reading finds the parts in any order; `timestamp` then says whether they exist.
struct MailDate {
  var year: Int?
  var month: Int?
  var day: Int?
  var time: (hour: Int, minute: Int, second: Int)?
  var hasWeekday = false
  /// Seconds east of Greenwich. Without a zone the time is taken as UTC.
  var zone: Int?
  /// The same from a zone's name; digits beside it (`EST -0500`) are the better source.
  var namedZone: Int?

  /// Nil where a word is no part of a date, or a part is missing or there twice.
  init?(words: some Collection<Substring>) {
    guard words.count <= 12 else { return nil }
    for word in words { guard read(word) else { return nil } }
    guard month != nil, day != nil, time != nil, year != nil else { return nil }
  }

  /// Reads a header's value; comments in parentheses are passed over.
  init?(header: String) {
    var depth = 0
    let plain = header.prefix(256).filter { character in
      if character == "(" { depth += 1 }
      defer { if character == ")" && depth > 0 { depth -= 1 } }
      return depth == 0
    }
    self.init(words: plain.split { $0 == "," || $0.isWhitespace })
  }

  private mutating func read(_ word: Substring) -> Bool {
    let word = word.last == "." ? word.dropLast() : word
    guard let first = word.utf8.first else { return true }
    if word.utf8.contains(UInt8(ascii: ":")) { return readTimed(word) }
    if first == UInt8(ascii: "+") || first == UInt8(ascii: "-") { return readOffset(word) }
    if word.utf8.contains(UInt8(ascii: "-")) { return readDashed(word) }
    if word.utf8.allSatisfy(\.isDigit) { return readNumber(word) }
    return readName(word)
  }

  /// `12:30`, `12:30:05.25`, a zone directly behind it, an ISO date before it.
  private mutating func readTimed(_ word: Substring) -> Bool {
    if let split = word.utf8.firstIndex(of: UInt8(ascii: "T")) {
      return readDashed(word[..<split]) && readTimed(word[word.utf8.index(after: split)...])
    }
    if time != nil { return readOffset(word) }
    let end = word.utf8.firstIndex { !$0.isDigit && $0 != UInt8(ascii: ":") && $0 != 0x2E }
    let parts = word[..<(end ?? word.endIndex)].split(
      separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2 || parts.count == 3 else { return false }
    let numbers = parts.map { part in Self.number(part.prefix { $0 != "." }, digits: 1...2) }
    guard let hour = numbers[0], let minute = numbers[1] else { return false }
    guard parts.count == 2 || numbers[2] != nil else { return false }
    time = (hour, minute, parts.count == 3 ? numbers[2]! : 0)
    guard let end else { return true }
    let rest = word[end...]
    return rest.first == "+" || rest.first == "-" ? readOffset(rest) : readName(rest)
  }

  /// `+0100`, `-05:30`.
  mutating func readOffset(_ word: Substring) -> Bool {
    let digits = word.dropFirst().filter { $0 != ":" }
    guard time != nil, zone == nil, word.first == "+" || word.first == "-",
      let value = Self.number(digits[...], digits: 4...4)
    else { return false }
    // A zone that no place can have makes the instant unknown, so it is kept to be refused later.
    let seconds = value / 100 * 3600 + value % 100 * 60
    zone = value % 100 < 60 && value / 100 <= 24 ? seconds : Int.max
    if word.first == "-", zone != Int.max { zone = -seconds }
    return true
  }

  /// `2026-01-02`, `06-Nov-94`, `GMT-0800`.
  private mutating func readDashed(_ word: Substring) -> Bool {
    let parts = word.split(separator: "-", omittingEmptySubsequences: false)
    if parts.count == 2, time != nil, parts[0] == "GMT" || parts[0] == "UTC" {
      return readOffset("-\(parts[1])"[...])
    }
    guard parts.count == 3 else { return false }
    guard parts[0].utf8.count == 4 else { return parts.allSatisfy { read($0) } }
    guard year == nil, month == nil, day == nil else { return false }
    year = Self.number(parts[0], digits: 4...4)
    month = Self.number(parts[1], digits: 2...2)
    day = Self.number(parts[2], digits: 2...2)
    return year != nil && month != nil && day != nil
  }

  /// A day, or a year; years of two and three digits as RFC 5322, section 4.3.
  private mutating func readNumber(_ word: Substring) -> Bool {
    guard let value = Self.number(word, digits: 1...4) else { return false }
    if word.utf8.count <= 2, day == nil {
      day = value
      return true
    }
    guard year == nil, word.utf8.count >= 2 else { return false }
    switch word.utf8.count {
    case 2: year = value + (value < 50 ? 2000 : 1900)
    case 3: year = value + 1900
    default: year = value
    }
    return true
  }

  static func number(_ text: Substring, digits: ClosedRange<Int>) -> Int? {
    digits.contains(text.utf8.count) && text.utf8.allSatisfy(\.isDigit) ? Int(text) : nil
  }
}

extension UInt8 {
  var isDigit: Bool { self >= 0x30 && self <= 0x39 }
}
