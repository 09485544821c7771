internal import Glibc

/// A request's text, made once; only the digits in its fields change.
final class RequestText {
  /// Where a number stands.
  struct Field {
    fileprivate let start: Int
    fileprivate let width: Int
    fileprivate let padding: UInt8
  }

  /// What a text is made of.
  struct Builder {
    fileprivate var bytes: [UInt8] = []

    mutating func add(_ text: String) { bytes += text.utf8 }

    /// A number of `width` places, filled up with `padding` in front.
    ///
    /// JSON allows spaces before a number, not zeros; names need zeros.
    mutating func addField(width: Int, padding: Unicode.Scalar = " ") -> Field {
      let padding = UInt8(ascii: padding)
      defer { bytes += [UInt8](repeating: padding, count: width) }
      return Field(start: bytes.count, width: width, padding: padding)
    }
  }

  let bytes: UnsafeMutableRawBufferPointer

  init(_ builder: Builder) {
    bytes = .allocate(byteCount: builder.bytes.count, alignment: 8)
    bytes.copyBytes(from: builder.bytes)
  }

  deinit { bytes.deallocate() }

  @inline(__always)
  func set(_ field: Field, to number: Int) {
    var rest = number
    var place = field.start + field.width
    while place > field.start {
      place -= 1
      // A name's zero is a digit, too.
      bytes[place] = rest > 0 ? UInt8(truncatingIfNeeded: 48 + rest % 10) : field.padding
      rest /= 10
    }
  }
}
