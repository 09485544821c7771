/// A value inside a parsed document: a view that copies nothing, valid as long as
/// ``JSONParser/parse(_:)-(UnsafeRawBufferPointer)`` says.
///
/// It walks simdjson's tape: each word has a tag in its top byte and 56 bits of payload.
public struct JSONValue {
  @usableFromInline let tape: UnsafePointer<UInt64>
  @usableFromInline let strings: UnsafePointer<UInt8>
  @usableFromInline let index: Int

  public enum Kind: Sendable { case null, bool, integer, double, string, array, object }

  @inlinable
  @inline(__always)
  init(tape: UnsafePointer<UInt64>, strings: UnsafePointer<UInt8>, index: Int) {
    self.tape = tape
    self.strings = strings
    self.index = index
  }

  @inlinable @inline(__always) var tag: UInt8 { UInt8(truncatingIfNeeded: tape[index] >> 56) }
  @inlinable @inline(__always) var payload: UInt64 { tape[index] & 0x00FF_FFFF_FFFF_FFFF }

  @inlinable
  public var kind: Kind {
    switch tag {
    case UInt8(ascii: "{"): .object
    case UInt8(ascii: "["): .array
    case UInt8(ascii: "\""): .string
    case UInt8(ascii: "l"), UInt8(ascii: "u"): .integer
    case UInt8(ascii: "d"): .double
    case UInt8(ascii: "t"), UInt8(ascii: "f"): .bool
    default: .null
    }
  }

  @inlinable
  public var isNull: Bool { tag == UInt8(ascii: "n") }

  public var bool: Bool? {
    switch tag {
    case UInt8(ascii: "t"): true
    case UInt8(ascii: "f"): false
    default: nil
    }
  }

  /// The integer, where it is written as one and fits 64 bits with a sign.
  @inlinable
  public var integer: Int? {
    tag == UInt8(ascii: "l") ? Int(bitPattern: UInt(tape[index + 1])) : nil
  }

  /// The integer above `Int.max`, where it is one.
  public var largeInteger: UInt64? { tag == UInt8(ascii: "u") ? tape[index + 1] : nil }

  /// The number, whether written as an integer or not.
  public var double: Double? {
    switch tag {
    case UInt8(ascii: "d"): Double(bitPattern: tape[index + 1])
    case UInt8(ascii: "l"): Double(Int64(bitPattern: tape[index + 1]))
    case UInt8(ascii: "u"): Double(tape[index + 1])
    default: nil
    }
  }

  /// The string's UTF-8 bytes, escapes resolved.
  @inlinable
  public var utf8: UnsafeBufferPointer<UInt8>? {
    guard tag == UInt8(ascii: "\"") else { return nil }
    let start = strings + Int(payload)
    let length = UnsafeRawPointer(start).loadUnaligned(as: UInt32.self)
    return UnsafeBufferPointer(start: start + 4, count: Int(length))
  }

  public var string: String? { utf8.map { String(decoding: $0, as: UTF8.self) } }

  /// The string, not copied.
  @inlinable
  public var text: JSONText? { utf8.map { JSONText(utf8: $0) } }

  /// The elements, where the value is an array.
  public var elements: Elements? {
    guard tag == UInt8(ascii: "[") else { return nil }
    return Elements(value: self)
  }

  /// The members in the order they were written, where the value is an object.
  @inlinable
  public var members: Members? {
    guard tag == UInt8(ascii: "{") else { return nil }
    return Members(value: self)
  }

  /// The member called `key`, nil where there is none or the value is no object. Of several
  /// members with one name the first counts.
  @inlinable
  public subscript(key: StaticString) -> JSONValue? {
    guard tag == UInt8(ascii: "{") else { return nil }
    var index = index + 1
    let end = endIndex - 1
    while index < end {
      let name = JSONValue(tape: tape, strings: strings, index: index)
      let value = JSONValue(tape: tape, strings: strings, index: index + 1)
      if let text = name.text, text.equals(key) { return value }
      index = value.endIndex
    }
    return nil
  }

  /// The tape index just past this value.
  @inlinable @inline(__always) var endIndex: Int {
    switch tag {
    case UInt8(ascii: "{"), UInt8(ascii: "["): Int(payload & 0xFFFF_FFFF)
    case UInt8(ascii: "l"), UInt8(ascii: "u"), UInt8(ascii: "d"): index + 2
    default: index + 1
    }
  }

  public struct Elements: Sequence, IteratorProtocol {
    private let value: JSONValue
    private var index: Int
    private let end: Int

    fileprivate init(value: JSONValue) {
      self.value = value
      index = value.index + 1
      end = value.endIndex - 1
    }

    public mutating func next() -> JSONValue? {
      guard index < end else { return nil }
      let element = JSONValue(tape: value.tape, strings: value.strings, index: index)
      index = element.endIndex
      return element
    }
  }

  public struct Members: Sequence, IteratorProtocol {
    @usableFromInline let value: JSONValue
    @usableFromInline var index: Int
    @usableFromInline let end: Int

    @inlinable
    init(value: JSONValue) {
      self.value = value
      index = value.index + 1
      end = value.endIndex - 1
    }

    @inlinable
    public mutating func next() -> (name: JSONText, value: JSONValue)? {
      guard index < end else { return nil }
      let name = JSONValue(tape: value.tape, strings: value.strings, index: index)
      let member = JSONValue(tape: value.tape, strings: value.strings, index: index + 1)
      index = member.endIndex
      return (name.text ?? JSONText(utf8: UnsafeBufferPointer(start: nil, count: 0)), member)
    }
  }
}
