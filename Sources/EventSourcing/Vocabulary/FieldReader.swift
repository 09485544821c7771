public import FastJSON

/// Reads the members of a JSON object one by one; what is missing or of the wrong type is `invalid`,
/// with the member's name and what it must be.
public struct FieldReader {
  public let object: JSONValue

  /// - Throws: `invalid` where `value` is no object.
  public init(_ value: JSONValue, _ what: StaticString) throws(ServiceError) {
    guard value.kind == .object else {
      throw ServiceError(.invalid, "\(what) must be a JSON object")
    }
    object = value
  }

  /// The member, nil where it is absent or null.
  public func value(_ key: StaticString) -> JSONValue? {
    guard let value = object[key], !value.isNull else { return nil }
    return value
  }

  /// The string, nil where it is absent or null.
  public func string(_ key: StaticString) throws(ServiceError) -> String? {
    guard let value = value(key) else { return nil }
    guard let string = value.string else { throw Self.wrong(key, "a string") }
    return string
  }

  /// The string, which must be there.
  public func requiredString(_ key: StaticString) throws(ServiceError) -> String {
    guard let string = try string(key) else { throw Self.wrong(key, "a string; it is missing") }
    return string
  }

  /// The integer within `range`, nil where it is absent or null.
  public func integer(
    _ key: StaticString, in range: ClosedRange<Int>
  ) throws(ServiceError) -> Int? {
    guard let value = value(key) else { return nil }
    guard let integer = value.integer, range.contains(integer) else {
      throw Self.wrong(
        key,
        range.upperBound == .max
          ? "an integer from \(range.lowerBound)"
          : "an integer from \(range.lowerBound) to \(range.upperBound)")
    }
    return integer
  }

  /// True or false, nil where it is absent or null.
  public func bool(_ key: StaticString) throws(ServiceError) -> Bool? {
    guard let value = value(key) else { return nil }
    guard let bool = value.bool else { throw Self.wrong(key, "true or false") }
    return bool
  }

  /// The stream's name, which must be there.
  public func stream(_ key: StaticString) throws(ServiceError) -> StreamID {
    let text = try requiredString(key)
    do throws(StreamIDError) {
      return try StreamID(text)
    } catch {
      throw ServiceError(.invalid, "'\(key)' is \(error)")
    }
  }

  /// `invalid`, with the member's name and what it must be.
  public static func wrong(_ key: StaticString, _ expected: String) -> ServiceError {
    ServiceError(.invalid, "'\(key)' must be \(expected)")
  }
}
