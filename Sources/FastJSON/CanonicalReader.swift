/// Reads JSON that is in the very form that ``JSONWriter`` gives it, as nearly all stored data is:
/// no white space, the members in the order in which they are asked for, numbers and texts plain.
///
/// It costs a few comparisons where a parser would first make a tape. What it does not read may be
/// sound JSON all the same, so only ``JSONParser`` says that something is wrong: whoever reads
/// with this has to give the same result as by the parser, or none.
public struct CanonicalReader {
  @usableFromInline var bytes: UnsafeRawBufferPointer
  @usableFromInline var index = 0

  /// - Parameter bytes: must stay valid as long as the reader is used.
  @inlinable
  public init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  /// Whether all was read.
  @inlinable
  public var isAtEnd: Bool { index == bytes.count }

  /// Takes nothing any more, and never comes to the end: what was met is in another form.
  public mutating func giveUp() {
    bytes = UnsafeRawBufferPointer(start: nil, count: 0)
    index = 1
  }

  /// Steps over `text` where it comes next.
  @inlinable @inline(__always)
  public mutating func take(_ text: StaticString) -> Bool {
    let count = text.utf8CodeUnitCount
    guard bytes.count - index >= count, bytes.hasBytes(of: text, at: index) else { return false }
    index += count
    return true
  }

  /// Takes a whole number from 0 on of up to 18 digits; nil for any other.
  @inlinable @inline(__always)
  public mutating func number() -> Int? {
    let start = index
    var value = 0
    while index < bytes.count {
      let digit = bytes[index] &- UInt8(ascii: "0")
      guard digit < 10 else { break }
      value = value &* 10 &+ Int(digit)
      index += 1
      // What is longer might not fit.
      guard index - start <= 18 else { return nil }
    }
    // A zero that begins a number stands alone.
    guard index > start, bytes[start] != UInt8(ascii: "0") || index - start == 1 else { return nil }
    return value
  }

  /// Takes a string's contents where all of it is printable ASCII without an escape; nil otherwise.
  @inlinable
  public mutating func plainText() -> UnsafeRawBufferPointer? {
    guard take("\"") else { return nil }
    let start = index
    while index < bytes.count {
      let byte = bytes[index]
      if byte == UInt8(ascii: "\"") {
        let text = UnsafeRawBufferPointer(rebasing: bytes[start..<index])
        index += 1
        return text
      }
      guard byte >= 0x20, byte < 0x80, byte != UInt8(ascii: "\\") else { return nil }
      index += 1
    }
    return nil
  }
}

extension UnsafeRawBufferPointer {
  /// Whether these are the bytes of `text`.
  @inlinable @inline(__always)
  public func equals(_ text: StaticString) -> Bool {
    count == text.utf8CodeUnitCount && hasBytes(of: text, at: 0)
  }

  /// - Precondition: there are as many bytes from `offset` on.
  @inlinable @inline(__always)
  func hasBytes(of text: StaticString, at offset: Int) -> Bool {
    let other = UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
    var index = 0
    // The text is known when this is compiled, so that a few comparisons of numbers are left.
    while index + 8 <= other.count {
      if loadUnaligned(fromByteOffset: offset + index, as: UInt64.self)
        != other.loadUnaligned(fromByteOffset: index, as: UInt64.self)
      {
        return false
      }
      index += 8
    }
    while index < other.count {
      if self[offset + index] != other[index] { return false }
      index += 1
    }
    return true
  }
}
