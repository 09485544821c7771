public import Glibc

/// Puts text where room was made for it. To put more than there is room for is a programmer's error.
public struct TextCursor {
  /// Where the next byte goes.
  @inlinable
  @inline(__always)
  public var pointer: UnsafeMutableRawPointer { next }
  @usableFromInline var next: UnsafeMutableRawPointer
  @usableFromInline let end: UnsafeMutableRawPointer

  @inlinable
  @inline(__always)
  public init(_ pointer: UnsafeMutableRawPointer, room: Int) {
    next = pointer
    end = pointer + room
  }

  /// Where `count` bytes go that the caller puts there himself.
  @inlinable
  @inline(__always)
  mutating func advance(_ count: Int) -> UnsafeMutableRawPointer {
    precondition(count <= end - next, "there is no room")
    defer { next += count }
    return next
  }

  @inlinable
  @inline(__always)
  public mutating func put(_ byte: UInt8) {
    advance(1).storeBytes(of: byte, as: UInt8.self)
  }

  @inlinable
  @inline(__always)
  public mutating func put(_ text: StaticString) {
    memcpy(advance(text.utf8CodeUnitCount), text.utf8Start, text.utf8CodeUnitCount)
  }

  @inlinable
  @inline(__always)
  public mutating func put(_ bytes: UnsafeRawBufferPointer) {
    guard let start = bytes.baseAddress else { return }
    memcpy(advance(bytes.count), start, bytes.count)
  }

  /// A number in decimal digits, at most 20.
  @inlinable
  @inline(__always)
  public mutating func put(_ value: UInt64) { put(value, digits: Self.digits(of: value)) }

  /// Puts a number's last `count` digits.
  public mutating func put(_ value: UInt64, digits count: Int) {
    let out = advance(count)
    var rest = value
    var index = count
    // Two at a time, from the end.
    while index >= 2 {
      index -= 2
      let (quotient, pair) = rest.quotientAndRemainder(dividingBy: 100)
      rest = quotient
      out.storeBytes(of: Self.pair(pair), toByteOffset: index, as: UInt16.self)
    }
    if index == 1 { out.storeBytes(of: UInt8(ascii: "0") + UInt8(rest % 10), as: UInt8.self) }
  }

  /// The two digits of a number below 100, in the order of the text.
  @inline(__always)
  private static func pair(_ value: UInt64) -> UInt16 {
    let tens = (value * 103) >> 10
    let ones = value - tens * 10
    return (UInt16(truncatingIfNeeded: ones) << 8 | UInt16(truncatingIfNeeded: tens) | 0x3030)
      .littleEndian
  }

  @usableFromInline
  static func digits(of value: UInt64) -> Int {
    var rest = value
    var count = 1
    while rest >= 10_000 {
      rest /= 10_000
      count += 4
    }
    return count + (rest < 10 ? 0 : rest < 100 ? 1 : rest < 1000 ? 2 : 3)
  }

  /// A JSON string with its quotes, ``stringBytesLimit(_:)`` bytes at most.
  public mutating func put(string text: UnsafeBufferPointer<UInt8>) {
    put(UInt8(ascii: "\""))
    var rest = text[...]
    while !rest.isEmpty {
      let part = UnsafeBufferPointer(rebasing: rest)
      let plain = JSONEscapes.plainPrefix(of: part)
      put(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(part)[..<plain]))
      if plain < part.count { JSONEscapes.put(part[plain], into: &self) }
      rest = rest.dropFirst(plain + 1)
    }
    put(UInt8(ascii: "\""))
  }

  /// What a JSON string of `count` bytes takes at most.
  @inlinable
  public static func stringBytesLimit(_ count: Int) -> Int { 2 + count * 6 }
}
