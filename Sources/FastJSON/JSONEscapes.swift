/// The bytes that a JSON string cannot hold as they are (RFC 8259, section 7).
enum JSONEscapes {
  /// Bytes that one byte becomes at most.
  static let longest = 6

  /// How many bytes at the front need no escape.
  @inline(__always)
  static func plainPrefix(of text: UnsafeBufferPointer<UInt8>) -> Int {
    var index = 0
    let raw = UnsafeRawBufferPointer(text)
    while index + 8 <= text.count {
      let word = raw.loadUnaligned(fromByteOffset: index, as: UInt64.self)
      if hasEscape(word) { break }
      index += 8
    }
    while index < text.count, !isEscaped(text[index]) { index += 1 }
    return index
  }

  /// Whether one of eight bytes needs an escape, by the usual tests of a zero byte and of a byte
  /// below a bound.
  @inline(__always)
  private static func hasEscape(_ word: UInt64) -> Bool {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let quote = word ^ (ones &* UInt64(UInt8(ascii: "\"")))
    let backslash = word ^ (ones &* UInt64(UInt8(ascii: "\\")))
    let control = word &- (ones &* 0x20)
    let found =
      ((quote &- ones) & ~quote) | ((backslash &- ones) & ~backslash) | (control & ~word)
    return found & (ones &* 0x80) != 0
  }

  @inline(__always)
  private static func isEscaped(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
  }

  static func put(_ byte: UInt8, into out: inout TextCursor) {
    guard isEscaped(byte) else { return out.put(byte) }
    out.put(UInt8(ascii: "\\"))
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): out.put(byte)
    case 0x0A: out.put(UInt8(ascii: "n"))
    case 0x0D: out.put(UInt8(ascii: "r"))
    case 0x09: out.put(UInt8(ascii: "t"))
    default:
      out.put(UInt8(ascii: "u"))
      out.put(UInt8(ascii: "0"))
      out.put(UInt8(ascii: "0"))
      out.put(hexadecimal(byte >> 4))
      out.put(hexadecimal(byte & 15))
    }
  }

  private static func hexadecimal(_ nibble: UInt8) -> UInt8 {
    nibble < 10 ? 48 + nibble : 87 + nibble
  }
}
