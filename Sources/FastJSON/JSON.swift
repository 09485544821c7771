/// A JSON value that owns its contents: for messages off the hot path, clients and tests.
public indirect enum JSON: Sendable, Equatable {
  case null
  case bool(Bool)
  case integer(Int)
  case double(Double)
  case string(String)
  case array([JSON])
  /// Members in the order they were written.
  case object([Member])

  public struct Member: Sendable, Equatable {
    public let key: String
    public let value: JSON

    public init(_ key: String, _ value: JSON) {
      self.key = key
      self.value = value
    }
  }

  /// A copy of a parsed value. An integer above `Int.max` becomes a double.
  public init(_ value: JSONValue) {
    switch value.kind {
    case .null: self = .null
    case .bool: self = .bool(value.bool ?? false)
    case .integer: self = value.integer.map(JSON.integer) ?? .double(value.double ?? 0)
    case .double: self = .double(value.double ?? 0)
    case .string: self = .string(value.string ?? "")
    case .array: self = .array(value.elements.map { $0.map { JSON($0) } } ?? [])
    case .object:
      self = .object(value.members.map { $0.map { Member($0.name.string, JSON($0.value)) } } ?? [])
    }
  }

  /// Parses one document.
  public init(parsing bytes: some Collection<UInt8>) throws(JSONSyntaxError) {
    let parser = JSONParser()
    defer { withExtendedLifetime(parser) {} }
    self = JSON(try parser.parse(bytes))
  }

  /// Parses one document.
  public init(parsing text: String) throws(JSONSyntaxError) {
    try self.init(parsing: Array(text.utf8))
  }

  /// The first member called `key`, nil where there is none or this is no object.
  public subscript(key: String) -> JSON? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.key == key }?.value
  }

  /// The element at `index`, nil where there is none or this is no array.
  public subscript(index: Int) -> JSON? {
    guard case .array(let elements) = self, elements.indices.contains(index) else { return nil }
    return elements[index]
  }

  public var string: String? { if case .string(let value) = self { value } else { nil } }
  public var integer: Int? { if case .integer(let value) = self { value } else { nil } }
  public var bool: Bool? { if case .bool(let value) = self { value } else { nil } }
  public var isNull: Bool { self == .null }
  public var array: [JSON]? { if case .array(let value) = self { value } else { nil } }
  public var members: [Member]? { if case .object(let value) = self { value } else { nil } }

  public var double: Double? {
    switch self {
    case .double(let value): value
    case .integer(let value): Double(value)
    default: nil
    }
  }

  /// This value as JSON text on one line.
  public var bytes: [UInt8] {
    var writer = JSONWriter()
    write(to: &writer)
    return writer.bytes
  }

  public var text: String { String(decoding: bytes, as: UTF8.self) }

  public func write(to writer: inout JSONWriter) {
    switch self {
    case .null: writer.null()
    case .bool(let value): writer.value(value)
    case .integer(let value): writer.value(value)
    case .double(let value): writer.value(value)
    case .string(let value): writer.value(value)
    case .array(let elements):
      writer.beginArray()
      for element in elements { element.write(to: &writer) }
      writer.endArray()
    case .object(let members):
      writer.beginObject()
      for member in members {
        writer.key(text: member.key)
        member.value.write(to: &writer)
      }
      writer.endObject()
    }
  }
}

extension JSON: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByBooleanLiteral,
  ExpressibleByFloatLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  // Not by `nil`: in an optional context that would be .null where no value is meant.

  public init(stringLiteral value: String) { self = .string(value) }
  public init(integerLiteral value: Int) { self = .integer(value) }
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  public init(floatLiteral value: Double) { self = .double(value) }
  public init(arrayLiteral elements: JSON...) { self = .array(elements) }
  public init(dictionaryLiteral elements: (String, JSON)...) {
    self = .object(elements.map { Member($0.0, $0.1) })
  }
}
