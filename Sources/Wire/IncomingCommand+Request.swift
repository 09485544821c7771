public import EventSourcing
public import FastJSON

/// The members of a request that are looked at before all others, found in one pass.
///
/// Of several members with one name the first counts.
public struct RequestMembers {
  public private(set) var op: JSONValue?
  public private(set) var id: JSONValue?
  fileprivate private(set) var stream: JSONValue?
  fileprivate private(set) var command: JSONValue?
  fileprivate private(set) var data: JSONValue?
  fileprivate private(set) var expected: JSONValue?
  fileprivate private(set) var metadata: JSONValue?

  /// - Parameter object: a request; what is no object has no members.
  public init(_ object: JSONValue) {
    guard let members = object.members else { return }
    for (name, value) in members {
      switch name {
      case "op": if op == nil { op = value }
      case "id": if id == nil { id = value }
      case "stream": if stream == nil { stream = value }
      case "command": if command == nil { command = value }
      case "data": if data == nil { data = value }
      case "expect": if expected == nil { expected = value }
      case "meta": if metadata == nil { metadata = value }
      default: break
      }
    }
  }
}

/// `command`, as far as it can be read without its aggregate's rules.
extension IncomingCommand {
  /// - Throws: `invalid` where the command's turn cannot be told, as its id or stream is wrong.
  public init(_ members: RequestMembers, token: Int) throws(ServiceError) {
    let id = try Self.id(members.id)
    let stream = try Self.text(members.stream, "stream")
    var name = JSONText(utf8: UnsafeBufferPointer(start: nil, count: 0))
    var expected: Revision?
    var metadata = CommandMetadata()
    let data: Result<JSONValue, ServiceError>
    do throws(ServiceError) {
      name = try Self.text(members.command, "command")
      if let value = members.expected { expected = try Self.expected(value) }
      if let value = members.metadata { metadata = try Self.metadata(value) }
      data = .success(try Self.data(members.data))
    } catch {
      data = .failure(error)
    }
    self.init(
      id: id, stream: stream, name: name, data: data, expected: expected, metadata: metadata,
      token: token)
  }

  private static func id(_ value: JSONValue?) throws(ServiceError) -> CommandID {
    guard let id = CommandID(utf8: try text(value, "id").utf8) else {
      throw FieldReader.wrong("id", "1 to \(CommandID.lengthLimit) printable ASCII characters")
    }
    guard !id.isReserved else {
      throw ServiceError(.invalid, "'id': ids that begin with '~' are the service's")
    }
    return id
  }

  private static func text(
    _ value: JSONValue?, _ key: StaticString
  ) throws(ServiceError) -> JSONText {
    if let text = value?.text { return text }
    let isMissing = value.map(\.isNull) ?? true
    throw FieldReader.wrong(key, isMissing ? "a string; it is missing" : "a string")
  }

  private static func data(_ value: JSONValue?) throws(ServiceError) -> JSONValue {
    guard let value, !value.isNull else {
      throw FieldReader.wrong("data", "a JSON object; it is missing")
    }
    guard value.kind == .object else { throw FieldReader.wrong("data", "a JSON object") }
    return value
  }

  private static func expected(_ value: JSONValue) throws(ServiceError) -> Revision? {
    if value.isNull { return nil }
    guard let number = value.integer, number >= 0 else {
      throw FieldReader.wrong("expect", "an integer from 0")
    }
    return Revision(UInt64(number))
  }

  private static func metadata(_ value: JSONValue) throws(ServiceError) -> CommandMetadata {
    if value.isNull { return CommandMetadata() }
    let fields = try FieldReader(value, "'meta'")
    return CommandMetadata(
      correlation: try text("correlation", fields), causation: try text("causation", fields),
      by: try text("by", fields))
  }

  private static func text(
    _ key: StaticString, _ fields: FieldReader
  ) throws(ServiceError) -> String? {
    guard let text = try fields.string(key) else { return nil }
    guard text.utf8.count <= CommandMetadata.textLimit else {
      throw FieldReader.wrong(key, "at most \(CommandMetadata.textLimit) bytes")
    }
    return text
  }
}
