internal import Glibc

/// Writes JSON with a fixed member order into a growing byte buffer.
///
/// Commas are its business; matching `begin…` and `end…` is the caller's.
public struct JSONWriter: Sendable {
  @usableFromInline private(set) var storage: ByteStorage
  public private(set) var count = 0
  private var needsComma = false

  public init(capacity: Int = 256) { storage = ByteStorage(capacity: max(capacity, 64)) }

  /// A copy of what was written.
  public var bytes: [UInt8] { withBytes { Array($0) } }

  /// What was written, valid during the call.
  @inlinable
  @inline(__always)
  public func withBytes<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    defer { withExtendedLifetime(storage) {} }
    return try body(UnsafeRawBufferPointer(start: storage.base, count: count))
  }

  /// Forgets what was written, keeps the memory.
  public mutating func removeAll() {
    count = 0
    needsComma = false
  }

  /// Takes the bytes out and leaves the writer empty.
  public mutating func take() -> [UInt8] {
    defer { removeAll() }
    return bytes
  }

  /// Begins a new document behind what is there already, for arenas that hold several.
  public mutating func beginDocument() { needsComma = false }

  // MARK: Structure

  public mutating func beginObject() { open(UInt8(ascii: "{")) }
  public mutating func endObject() { close(UInt8(ascii: "}")) }
  public mutating func beginArray() { open(UInt8(ascii: "[")) }
  public mutating func endArray() { close(UInt8(ascii: "]")) }

  /// A member's name; it must need no escape.
  public mutating func key(_ name: StaticString) {
    let length = name.utf8CodeUnitCount
    var out = separated(room: length + 3)
    out.put(UInt8(ascii: "\""))
    out.put(name)
    out.put(UInt8(ascii: "\""))
    out.put(UInt8(ascii: ":"))
    finish(out, comma: false)
  }

  /// A member's name that is known at run time only.
  ///
  /// Its label keeps literals out: as a string each would cost more than its member.
  public mutating func key(text name: String) {
    value(name)
    endKey()
  }

  /// A member's name that is known at run time only.
  public mutating func key(_ name: JSONText) {
    value(utf8: name.utf8)
    endKey()
  }

  private mutating func endKey() {
    var out = room(1)
    out.put(UInt8(ascii: ":"))
    finish(out, comma: false)
  }

  // MARK: Values

  public mutating func null() { literal("null") }

  public mutating func value(_ value: Bool) { literal(value ? "true" : "false") }

  public mutating func value(_ value: Int) {
    var out = separated(room: 20)
    if value < 0 { out.put(UInt8(ascii: "-")) }
    out.put(UInt64(value.magnitude))
    finish(out)
  }

  public mutating func value(_ value: UInt64) {
    var out = separated(room: 20)
    out.put(value)
    finish(out)
  }

  /// - Precondition: `value` is finite: JSON has no other numbers.
  public mutating func value(_ value: Double) {
    precondition(value.isFinite)
    var text = value.description
    text.withUTF8 { raw(UnsafeRawBufferPointer($0)) }
  }

  public mutating func value(_ value: String) {
    var value = value
    value.withUTF8 { self.value(utf8: $0) }
  }

  public mutating func value(_ value: String?) {
    if let value { self.value(value) } else { null() }
  }

  public mutating func value(_ value: Int?) {
    if let value { self.value(value) } else { null() }
  }

  /// A string given as UTF-8 bytes.
  public mutating func value(utf8 text: UnsafeBufferPointer<UInt8>) {
    let plain = JSONEscapes.plainPrefix(of: text)
    guard plain == text.count else { return escaped(text) }
    var out = separated(room: text.count + 2)
    out.put(UInt8(ascii: "\""))
    out.put(UnsafeRawBufferPointer(text))
    out.put(UInt8(ascii: "\""))
    finish(out)
  }

  /// A string that has something to escape, part by part: its room is made for what it becomes.
  private mutating func escaped(_ text: UnsafeBufferPointer<UInt8>) {
    var start = separated(room: 1)
    start.put(UInt8(ascii: "\""))
    finish(start)
    var rest = text[...]
    while !rest.isEmpty {
      let part = UnsafeBufferPointer(rebasing: rest)
      let plain = JSONEscapes.plainPrefix(of: part)
      var out = room(plain + JSONEscapes.longest)
      out.put(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(part)[..<plain]))
      if plain < part.count { JSONEscapes.put(part[plain], into: &out) }
      finish(out)
      rest = rest.dropFirst(plain + 1)
    }
    var end = room(1)
    end.put(UInt8(ascii: "\""))
    finish(end)
  }

  /// A value that the caller writes himself, as JSON text of at most `length` bytes.
  @inlinable
  public mutating func compose(atMost length: Int, _ body: (inout TextCursor) -> Void) {
    var out = separated(room: length)
    body(&out)
    finish(out)
  }

  /// A value that is JSON text already.
  public mutating func raw(_ json: some Sequence<UInt8>) {
    if json.withContiguousStorageIfAvailable({ raw(UnsafeRawBufferPointer($0)) }) == nil {
      Array(json).withUnsafeBytes { raw($0) }
    }
  }

  /// A value that is JSON text already.
  public mutating func raw(_ json: UnsafeRawBufferPointer) {
    var out = separated(room: json.count)
    out.put(json)
    finish(out)
  }

  /// A value, or several members, that is JSON text already.
  public mutating func raw(_ json: StaticString) { literal(json) }

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
          key(member.name)
          self.value(member.value)
        }
      }
      endObject()
    }
  }
}

// MARK: Room

extension JSONWriter {
  /// Room for `length` more bytes. What is written there counts once ``finish(_:comma:)`` was
  /// called.
  @inline(__always)
  private mutating func room(_ length: Int) -> TextCursor {
    if storage.capacity - count < length || !isKnownUniquelyReferenced(&storage) {
      makeRoom(for: length)
    }
    return TextCursor(storage.base + count, room: length)
  }

  /// The same behind a comma, where one is due; `length` does not count it.
  @usableFromInline
  mutating func separated(room length: Int) -> TextCursor {
    var out = room(length + 1)
    if needsComma { out.put(UInt8(ascii: ",")) }
    return out
  }

  @usableFromInline
  mutating func finish(_ out: TextCursor, comma: Bool = true) {
    count = out.pointer - UnsafeMutableRawPointer(storage.base)
    needsComma = comma
  }

  @inline(never)
  private mutating func makeRoom(for length: Int) {
    let isFull = storage.capacity - count < length
    let larger = ByteStorage(
      capacity: max(isFull ? storage.capacity * 2 : storage.capacity, count + length))
    larger.base.update(from: storage.base, count: count)
    storage = larger
  }

  private mutating func open(_ bracket: UInt8) {
    var out = separated(room: 1)
    out.put(bracket)
    finish(out, comma: false)
  }

  private mutating func close(_ bracket: UInt8) {
    var out = room(1)
    out.put(bracket)
    finish(out)
  }

  private mutating func literal(_ text: StaticString) {
    var out = separated(room: text.utf8CodeUnitCount)
    out.put(text)
    finish(out)
  }
}
