public import FastJSON

/// A command as it came in: views into a request, valid as long as that.
public struct IncomingCommand {
  public let id: CommandID
  /// The stream's name; not known to be one yet.
  public let stream: JSONText
  /// The command's name on the wire.
  public let name: JSONText
  /// A JSON object; or what is wrong with the request beside id and stream. Such a command still has
  /// its turn among its stream's, so that receipts come in order.
  public let data: Result<JSONValue, ServiceError>
  /// The revision that the client believes the stream to have; nil where it does not care.
  public let expected: Revision?
  public let metadata: CommandMetadata
  /// Given back with the answer, so that whoever sent the command in finds where it goes.
  public let token: Int

  public init(
    id: CommandID, stream: JSONText, name: JSONText, data: Result<JSONValue, ServiceError>,
    expected: Revision?, metadata: CommandMetadata, token: Int
  ) {
    self.id = id
    self.stream = stream
    self.name = name
    self.data = data
    self.expected = expected
    self.metadata = metadata
    self.token = token
  }
}

/// Who asked and why, as the client said; stored with the events.
public struct CommandMetadata: Sendable, Equatable {
  /// What the command belongs to, in the client's terms.
  public var correlation: String?
  /// What the command came of.
  public var causation: String?
  /// Who asks.
  public var by: String?

  /// Each text is held to this many bytes.
  public static let textLimit = 256

  public init(correlation: String? = nil, causation: String? = nil, by: String? = nil) {
    self.correlation = correlation
    self.causation = causation
    self.by = by
  }

  var isEmpty: Bool { correlation == nil && causation == nil && by == nil }
}

/// A command that cannot be decided yet, kept with a copy of its data.
struct WaitingCommand {
  let id: CommandID
  private let name: String
  private let data: Result<[UInt8], ServiceError>
  private let expected: Revision?
  private let metadata: CommandMetadata
  let token: Int

  init(_ command: IncomingCommand) {
    id = command.id
    name = command.name.string
    data = command.data.map { data in
      var writer = JSONWriter()
      writer.value(data)
      return writer.bytes
    }
    expected = command.expected
    metadata = command.metadata
    token = command.token
  }

  /// Calls `body` with the command as it came in.
  func withIncoming(of stream: StreamID, parser: JSONParser, _ body: (IncomingCommand) -> Void) {
    let data = data.flatMap { bytes in
      Result { () throws(JSONSyntaxError) in try parser.parse(bytes) }
        .mapError { ServiceError(.malformed, $0.description) }
    }
    stream.description.withJSONText { stream in
      name.withJSONText { name in
        body(
          IncomingCommand(
            id: id, stream: stream, name: name, data: data, expected: expected,
            metadata: metadata, token: token))
      }
    }
    withExtendedLifetime(parser) {}
  }
}
