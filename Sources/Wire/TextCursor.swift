internal import EventSourcing

/// Puts text where room was made for it. It checks nothing: whoever uses it has made enough.
struct TextCursor {
  private(set) var pointer: UnsafeMutableRawPointer

  init(_ pointer: UnsafeMutableRawPointer) { self.pointer = pointer }

  @inline(__always)
  mutating func put(_ byte: UInt8) {
    pointer.storeBytes(of: byte, as: UInt8.self)
    pointer += 1
  }

  @inline(__always)
  mutating func put(_ text: StaticString) {
    pointer.copyMemory(from: text.utf8Start, byteCount: text.utf8CodeUnitCount)
    pointer += text.utf8CodeUnitCount
  }

  @inline(__always)
  mutating func put(_ bytes: UnsafeRawBufferPointer) {
    guard let start = bytes.baseAddress else { return }
    pointer.copyMemory(from: start, byteCount: bytes.count)
    pointer += bytes.count
  }

  @inline(__always)
  mutating func put(_ value: UInt64) {
    let count = Self.digits(of: value)
    put(value, digits: count)
  }

  /// Puts a number's last `count` digits.
  @inline(__always)
  mutating func put(_ value: UInt64, digits count: Int) {
    var rest = value
    var index = count
    // Two at a time, from the end.
    while index >= 2 {
      index -= 2
      let (quotient, pair) = rest.quotientAndRemainder(dividingBy: 100)
      rest = quotient
      pointer.storeBytes(of: Self.pair(pair), toByteOffset: index, as: UInt16.self)
    }
    if index == 1 {
      pointer.storeBytes(of: UInt8(ascii: "0") + UInt8(rest % 10), as: UInt8.self)
    }
    pointer += count
  }

  /// The two digits of a number below 100, in the order of the text.
  @inline(__always)
  private static func pair(_ value: UInt64) -> UInt16 {
    let tens = (value * 103) >> 10
    let ones = value - tens * 10
    return (UInt16(truncatingIfNeeded: ones) << 8 | UInt16(truncatingIfNeeded: tens) | 0x3030)
      .littleEndian
  }

  private static func digits(of value: UInt64) -> Int {
    var rest = value
    var count = 1
    while rest >= 10_000 {
      rest /= 10_000
      count += 4
    }
    return count + (rest < 10 ? 0 : rest < 100 ? 1 : rest < 1000 ? 2 : 3)
  }
}

/// Times as text: along the log few seconds differ, so that of most only the fraction is new.
struct ClockText {
  private var second = Int64.min
  /// The text of a time of that second, up to its fraction.
  private var text = [UInt8](repeating: 0, count: Self.count)

  private static let count = 27
  private static let fraction: Int64 = 1_000_000

  @inline(__always)
  mutating func put(_ time: Timestamp, to out: inout TextCursor) {
    var second = time.microseconds / Self.fraction
    var rest = time.microseconds - second * Self.fraction
    if rest < 0 {
      rest += Self.fraction
      second -= 1
    }
    if second != self.second {
      text.withUnsafeMutableBufferPointer { time.write(to: $0) }
      self.second = second
    }
    text.withUnsafeBytes { out.put(UnsafeRawBufferPointer(rebasing: $0[..<20])) }
    out.put(UInt64(rest), digits: 6)
    out.put(UInt8(ascii: "Z"))
  }
}
