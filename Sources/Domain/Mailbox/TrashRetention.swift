internal import EventSourcing
internal import FastJSON

/// For how long a mail stays in the trash before it is purged: an ISO 8601 duration of fixed length.
public struct TrashRetention: Hashable, Sendable, CustomStringConvertible {
  private static let units: [(letter: UInt8, seconds: Int)] = [
    (UInt8(ascii: "D"), 86_400), (UInt8(ascii: "H"), 3600), (UInt8(ascii: "M"), 60),
    (UInt8(ascii: "S"), 1),
  ]

  /// A hundred years.
  private static let limit = 36_500 * 86_400

  /// From 1 on.
  public let seconds: Int

  /// Nil where `text` is not `PnW` or `PnDTnHnMnS` with some of these parts, or is not from a second
  /// to 36,500 days. Months and years are refused: their length hangs on when they begin.
  public init?(_ text: String) {
    var rest = Substring(text).utf8
    guard rest.popFirst() == UInt8(ascii: "P"), !rest.isEmpty else { return nil }
    if rest.last == UInt8(ascii: "W") {
      guard let weeks = Self.number(rest.dropLast()) else { return nil }
      self.init(seconds: weeks * 7 * 86_400)
      return
    }
    var seconds = 0
    var units = Self.units[...]
    var isTime = false
    while !rest.isEmpty {
      if !isTime, rest.first == UInt8(ascii: "T") {
        isTime = true
        rest.removeFirst()
        units = Self.units[max(units.startIndex, 1)...]
      }
      let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
      rest = rest.dropFirst(digits.count)
      guard let count = Self.number(digits), let letter = rest.popFirst(),
        let index = units.firstIndex(where: { $0.letter == letter }), isTime == (index > 0)
      else { return nil }
      seconds += count * units[index].seconds
      units = units[(index + 1)...]
    }
    self.init(seconds: seconds)
  }

  public init?(seconds: Int) {
    guard (1...Self.limit).contains(seconds) else { return nil }
    self.seconds = seconds
  }

  /// Ten digits are more than the limit needs, and no sum of theirs goes beyond what an integer holds.
  private static func number(_ digits: Substring.UTF8View) -> Int? {
    guard (1...10).contains(digits.count) else { return nil }
    return Int(Substring(digits))
  }

  /// In days, hours, minutes and seconds: `P30D`, `P1DT12H`, `PT90S` as `PT1M30S`.
  public var description: String {
    var rest = seconds
    var text = "P"
    for (letter, length) in Self.units {
      let count = rest / length
      rest %= length
      guard count > 0 else { continue }
      if letter != UInt8(ascii: "D"), !text.contains("T") { text += "T" }
      text += "\(count)" + String(UnicodeScalar(letter))
    }
    return text
  }
}

extension Fields {
  /// A duration or null; an absent field is an error.
  func retention(_ key: StaticString) throws(FieldError) -> TrashRetention? {
    if object[key]?.isNull == true { return nil }
    guard let retention = object[key]?.string.flatMap({ TrashRetention($0) }) else {
      throw FieldError(
        key,
        "must be a duration as 'P30D', 'P4W' or 'P1DT12H' (days to seconds, or weeks; months and "
          + "years have no fixed length) of 1 second to 36500 days, or null for no retention")
    }
    return retention
  }
}

extension TrashRetention {
  /// From a snapshot, where no seconds are no retention.
  static func read(
    _ reader: inout SnapshotReader
  ) throws(SnapshotDecodingError) -> TrashRetention? {
    let seconds = try reader.number()
    let retention = TrashRetention(seconds: seconds)
    guard retention != nil || seconds == 0 else {
      throw SnapshotDecodingError("its retention is longer than any")
    }
    return retention
  }
}
