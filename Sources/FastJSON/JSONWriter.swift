/// Writes JSON with a fixed member order into a growing byte buffer.
///
/// Commas are its business; matching `begin…` and `end…` is the caller's.
public struct JSONWriter: Sendable {
  public private(set) var bytes: [UInt8]
  private var needsComma = false

  public init(capacity: Int = 256) {
    bytes = []
    bytes.reserveCapacity(capacity)
  }

  public var count: Int { bytes.count }

  /// Forgets what was written, keeps the memory.
  public mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
    needsComma = false
  }

  /// Takes the bytes out and leaves the writer empty.
  public mutating func take() -> [UInt8] {
    defer {
      bytes = []
      needsComma = false
    }
    return bytes
  }

  /// Begins a new document behind what is there already, for arenas that hold several.
  public mutating func beginDocument() { needsComma = false }

  @inline(__always)
  private mutating func separate() {
    if needsComma { bytes.append(UInt8(ascii: ",")) }
    needsComma = true
  }

  public mutating func beginObject() {
    separate()
    bytes.append(UInt8(ascii: "{"))
    needsComma = false
  }

  public mutating func endObject() {
    bytes.append(UInt8(ascii: "}"))
    needsComma = true
  }

  public mutating func beginArray() {
    separate()
    bytes.append(UInt8(ascii: "["))
    needsComma = false
  }

  public mutating func endArray() {
    bytes.append(UInt8(ascii: "]"))
    needsComma = true
  }

  /// A member's name; it must need no escape.
  @inline(__always)
  public mutating func key(_ name: StaticString) {
    separate()
    bytes.append(UInt8(ascii: "\""))
    bytes.append(
      contentsOf: UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
    bytes.append(UInt8(ascii: "\""))
    bytes.append(UInt8(ascii: ":"))
    needsComma = false
  }

  /// A member's name that is known at run time only.
  ///
  /// Its label keeps literals out: as a string each would cost more than its member.
  public mutating func key(text name: String) {
    value(name)
    bytes.append(UInt8(ascii: ":"))
    needsComma = false
  }

  public mutating func null() {
    separate()
    append("null")
  }

  public mutating func value(_ value: Bool) {
    separate()
    append(value ? "true" : "false")
  }

  public mutating func value(_ value: Int) {
    separate()
    if value < 0 { bytes.append(UInt8(ascii: "-")) }
    appendDigits(UInt64(value.magnitude))
  }

  public mutating func value(_ value: UInt64) {
    separate()
    appendDigits(value)
  }

  /// - Precondition: `value` is finite: JSON has no other numbers.
  public mutating func value(_ value: Double) {
    precondition(value.isFinite)
    separate()
    var text = value.description
    text.withUTF8 { bytes.append(contentsOf: $0) }
  }

  public mutating func value(_ value: String) {
    separate()
    var value = value
    value.withUTF8 { appendQuoted($0) }
  }

  public mutating func value(_ value: String?) {
    if let value { self.value(value) } else { null() }
  }

  public mutating func value(_ value: Int?) {
    if let value { self.value(value) } else { null() }
  }

  /// A string given as UTF-8 bytes.
  public mutating func value(utf8: UnsafeBufferPointer<UInt8>) {
    separate()
    appendQuoted(utf8)
  }

  /// A value that is JSON text already.
  @inline(__always)
  public mutating func raw(_ json: some Sequence<UInt8>) {
    separate()
    bytes.append(contentsOf: json)
  }

  /// A value that is JSON text already.
  @inline(__always)
  public mutating func raw(_ json: UnsafeRawBufferPointer) {
    separate()
    bytes.append(contentsOf: json)
  }

  /// The members of an object that is JSON text already, put into the object begun last.
  ///
  /// - Precondition: `object` begins with `{` and ends with `}`, without white space around.
  public mutating func members(ofObject object: some BidirectionalCollection<UInt8>) {
    precondition(object.first == UInt8(ascii: "{") && object.last == UInt8(ascii: "}"))
    let inner = object.dropFirst().dropLast()
    if !inner.isEmpty { raw(inner) }
  }

  public mutating func value(_ value: JSONValue) {
    switch value.kind {
    case .null: null()
    case .bool: self.value(value.bool ?? false)
    case .integer:
      if let large = value.largeInteger {
        self.value(large)
      } else {
        self.value(value.integer ?? 0)
      }
    case .double: self.value(value.double ?? 0)
    case .string: if let utf8 = value.utf8 { self.value(utf8: utf8) }
    case .array:
      beginArray()
      if let elements = value.elements { for element in elements { self.value(element) } }
      endArray()
    case .object:
      beginObject()
      if let members = value.members {
        for member in members {
          key(text: member.key)
          self.value(member.value)
        }
      }
      endObject()
    }
  }

  @inline(__always)
  private mutating func append(_ text: StaticString) {
    bytes.append(
      contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  private mutating func appendDigits(_ value: UInt64) {
    if value < 10 {
      bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: value))
      return
    }
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { buffer in
      var rest = value
      var index = 20
      while rest > 0 {
        index -= 1
        buffer[index] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
        rest /= 10
      }
      bytes.append(contentsOf: UnsafeBufferPointer(rebasing: buffer[index..<20]))
    }
  }

  private mutating func appendQuoted(_ text: UnsafeBufferPointer<UInt8>) {
    bytes.append(UInt8(ascii: "\""))
    var start = 0
    for index in text.indices where Self.needsEscape(text[index]) {
      bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[start..<index]))
      appendEscape(text[index])
      start = index + 1
    }
    bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[start..<text.count]))
    bytes.append(UInt8(ascii: "\""))
  }

  @inline(__always)
  private static func needsEscape(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
  }

  private mutating func appendEscape(_ byte: UInt8) {
    switch byte {
    case UInt8(ascii: "\""): append("\\\"")
    case UInt8(ascii: "\\"): append("\\\\")
    case 0x0A: append("\\n")
    case 0x0D: append("\\r")
    case 0x09: append("\\t")
    default:
      append("\\u00")
      bytes.append(Self.hexadecimal(byte >> 4))
      bytes.append(Self.hexadecimal(byte & 15))
    }
  }

  private static func hexadecimal(_ nibble: UInt8) -> UInt8 {
    nibble < 10 ? 48 + nibble : 87 + nibble
  }
}
