public import EventSourcing
public import FastJSON

/// `command`, as far as it can be read without its aggregate's rules.
public struct CommandRequest {
  public let id: CommandID
  public let stream: StreamID
  public let command: String
  /// The command's data; valid as long as the frame that it was read from. An absent one is empty.
  public let data: JSONValue?
  public let expected: Revision?
  public let metadata: CommandMetadata

  /// - Throws: `invalid` with the member that is wrong.
  public init(_ value: JSONValue) throws(ServiceError) {
    let fields = try FieldReader(value, "a request")
    guard let id = CommandID(try fields.requiredString("id")) else {
      throw FieldReader.wrong(
        "id", "1 to \(CommandID.lengthLimit) printable ASCII characters")
    }
    guard !id.isReserved else {
      throw ServiceError(.invalid, "'id': ids that begin with '~' are the service's")
    }
    self.id = id
    stream = try fields.stream("stream")
    command = try fields.requiredString("command")
    data = fields.value("data")
    expected = try fields.integer("expect", in: 0...Int.max).map { Revision(UInt64($0)) }
    metadata = try Self.metadata(fields.value("meta"))
  }

  private static func metadata(_ value: JSONValue?) throws(ServiceError) -> CommandMetadata {
    guard let value else { return CommandMetadata() }
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
