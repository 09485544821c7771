public import EventSourcing
public import FastJSON

/// `command`, as far as it can be read without its aggregate's rules.
public struct CommandRequest {
  /// What is read beside id and stream.
  private struct Members {
    var command = ""
    var expected: Revision?
    var metadata = CommandMetadata()
  }

  public let id: CommandID
  public let stream: StreamID
  public let command: String
  /// The command's data, nil where there is none; valid as long as the frame that it was read from.
  public let data: JSONValue?
  public let expected: Revision?
  public let metadata: CommandMetadata
  /// What is wrong with a member beside id and stream. Such a command still has its turn among its
  /// stream's, so that receipts come in order.
  public let problem: ServiceError?

  /// - Throws: `invalid` where the command's turn cannot be told, as its id or stream is wrong.
  public init(_ value: JSONValue) throws(ServiceError) {
    let fields = try FieldReader(value, "a request")
    id = try Self.id(fields)
    stream = try fields.stream("stream")
    data = fields.value("data")
    let members: Members
    do throws(ServiceError) {
      members = try Self.members(fields)
      problem = nil
    } catch {
      members = Members()
      problem = error
    }
    command = members.command
    expected = members.expected
    metadata = members.metadata
  }

  private static func id(_ fields: FieldReader) throws(ServiceError) -> CommandID {
    guard let id = CommandID(try fields.requiredString("id")) else {
      throw FieldReader.wrong(
        "id", "1 to \(CommandID.lengthLimit) printable ASCII characters")
    }
    guard !id.isReserved else {
      throw ServiceError(.invalid, "'id': ids that begin with '~' are the service's")
    }
    return id
  }

  private static func members(_ fields: FieldReader) throws(ServiceError) -> Members {
    Members(
      command: try fields.requiredString("command"),
      expected: try fields.integer("expect", in: 0...Int.max).map { Revision(UInt64($0)) },
      metadata: try metadata(fields.value("meta")))
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
