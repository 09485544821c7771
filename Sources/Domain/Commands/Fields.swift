internal import EventSourcing
internal import FastJSON

/// The members of a JSON object, read with their types checked.
struct Fields {
  let object: JSONValue

  /// - Precondition: `object` is a JSON object; every field of anything else is missing.
  init(_ object: JSONValue) { self.object = object }

  /// The fields of the object called `key`, nil where it is absent.
  func nested(_ key: StaticString) throws(FieldError) -> Fields? {
    guard let value = object[key] else { return nil }
    guard value.kind == .object else { throw FieldError(key, "must be an object") }
    return Fields(value)
  }

  /// Refuses members that are none of `known`: a misspelt field must not pass in silence.
  func allowOnly(_ known: FieldNames) throws(FieldError) {
    guard let members = object.members else { return }
    for member in members where !known.contains(member.name) {
      throw FieldError(
        member.name.string.shortened(to: 64), "is not a field of this command")
    }
  }

  func has(_ key: StaticString) -> Bool { object[key] != nil }

  func string(_ key: StaticString) throws(FieldError) -> String {
    guard let text = object[key]?.string else { throw FieldError(key, "must be a string") }
    return text
  }

  func optionalString(_ key: StaticString) throws(FieldError) -> String? {
    try has(key) ? string(key) : nil
  }

  /// A string or null; an absent field is null.
  func nullableString(_ key: StaticString) throws(FieldError) -> String? {
    guard let value = object[key], !value.isNull else { return nil }
    guard let text = value.string else { throw FieldError(key, "must be a string or null") }
    return text
  }

  func optionalStrings(_ key: StaticString) throws(FieldError) -> [String]? {
    guard let value = object[key] else { return nil }
    guard let elements = value.elements else {
      throw FieldError(key, "must be an array of strings")
    }
    var strings: [String] = []
    for element in elements {
      guard let text = element.string else { throw FieldError(key, "must be an array of strings") }
      strings.append(text)
    }
    return strings
  }

  func optionalBool(_ key: StaticString) throws(FieldError) -> Bool? {
    guard let value = object[key] else { return nil }
    guard let bool = value.bool else { throw FieldError(key, "must be true or false") }
    return bool
  }

  func requiredBool(_ key: StaticString) throws(FieldError) -> Bool {
    guard let bool = object[key]?.bool else { throw FieldError(key, "must be true or false") }
    return bool
  }

  func bool(_ key: StaticString, default fallback: Bool) throws(FieldError) -> Bool {
    try optionalBool(key) ?? fallback
  }

  /// An integer from 0 on.
  func optionalCount(_ key: StaticString) throws(FieldError) -> Int? {
    guard let value = object[key] else { return nil }
    guard let count = value.integer, count >= 0 else {
      throw FieldError(key, "must be an integer, 0 or more")
    }
    return count
  }

  func number(_ key: StaticString) throws(FieldError) -> Double {
    guard let number = object[key]?.double else { throw FieldError(key, "must be a number") }
    return number
  }

  func number(_ key: StaticString, from lower: Int, to upper: Int) throws(FieldError) -> Double {
    guard let number = object[key]?.double, number >= Double(lower), number <= Double(upper) else {
      throw FieldError(key, "must be a number from \(lower) to \(upper)")
    }
    return number
  }

  func id<ID: NumberedID>(_ key: StaticString) throws(FieldError) -> ID {
    guard let number = object[key]?.integer, number > 0 else {
      throw FieldError(key, "must be a positive integer")
    }
    return ID(number)
  }

  func optionalID<ID: NumberedID>(_ key: StaticString) throws(FieldError) -> ID? {
    try has(key) ? id(key) : nil
  }

  /// An id or null; an absent field is an error.
  func nullableID<ID: NumberedID>(_ key: StaticString) throws(FieldError) -> ID? {
    guard let value = object[key] else {
      throw FieldError(key, "must be a positive integer or null")
    }
    if value.isNull { return nil }
    guard let number = value.integer, number > 0 else {
      throw FieldError(key, "must be a positive integer or null")
    }
    return ID(number)
  }

  /// An instant or null; an absent field is null.
  func nullableTime(_ key: StaticString) throws(FieldError) -> Timestamp? {
    guard let value = object[key], !value.isNull else { return nil }
    guard let time = value.time else {
      throw FieldError(key, "must be an RFC 3339 time of the years 0 to 9999 (UTC), or null")
    }
    return time
  }

  /// The id of a command, be it a client's or the service's.
  func commandID(_ key: StaticString) throws(FieldError) -> CommandID {
    guard let text = object[key]?.utf8, let id = CommandID(utf8: text) else {
      throw FieldError(
        key, "must be a command's id: 1 to \(CommandID.lengthLimit) printable ASCII characters")
    }
    return id
  }

  func time(_ key: StaticString) throws(FieldError) -> Timestamp {
    guard let time = object[key]?.time else {
      throw FieldError(key, "must be an RFC 3339 time of the years 0 to 9999 (UTC)")
    }
    return time
  }

  /// One of the values of a closed set of names.
  func choice<Choice: RawRepresentable & CaseIterable>(
    _ key: StaticString, of _: Choice.Type
  ) throws(FieldError) -> Choice where Choice.RawValue == String {
    guard let text = object[key]?.string, let choice = Choice(rawValue: text) else {
      let names = Choice.allCases.map { "'\($0.rawValue)'" }
      throw FieldError(key, "must be one of \(names.joined(separator: ", "))")
    }
    return choice
  }
}

extension JSONValue {
  /// Nil for all but a time that can be written.
  fileprivate var time: Timestamp? {
    string.flatMap { Timestamp($0) }.flatMap { Timestamp.writable.contains($0) ? $0 : nil }
  }
}

extension Timestamp {
  /// The instants whose text, in UTC, has a four-digit year: what was read can be written.
  static let writable =
    Timestamp(
      microseconds: -62_167_219_200_000_000)...Timestamp(
      microseconds: 253_402_300_799_999_999)
}
