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
}

/// A command's frame around its content.
public struct CommandHeader: Sendable {
  public let id: CommandID
  public let stream: StreamID
  /// The revision that the client believes the stream to have; nil where it does not care.
  public let expected: Revision?
  public let metadata: CommandMetadata
  /// Given back with the reply, so that whoever sent the command in finds where it goes.
  public let token: Int

  public init(
    id: CommandID, stream: StreamID, expected: Revision?, metadata: CommandMetadata, token: Int
  ) {
    self.id = id
    self.stream = stream
    self.expected = expected
    self.metadata = metadata
    self.token = token
  }
}

/// A command on its way to its aggregate.
struct CommandEnvelope<Command: CommandCodable>: Sendable {
  let header: CommandHeader
  /// A command that could not be read keeps its turn, so that receipts come in order.
  let content: Result<Command, ServiceError>
}

/// The answer to a command.
public struct CommandReply: Sendable {
  public let token: Int
  public let result: Result<CommandReceipt, ServiceError>

  public init(token: Int, result: Result<CommandReceipt, ServiceError>) {
    self.token = token
    self.result = result
  }
}

/// What a command did, durably.
public struct CommandReceipt: Sendable, Equatable {
  public var stream: StreamID
  /// Of the command's last event; the stream's present one where it wrote none.
  public var revision: Revision
  /// Of the command's last event; of the stream's last one where it wrote none.
  public var position: GlobalPosition
  public var eventCount: Int
  /// A JSON object.
  public var outcome: [UInt8]
  /// Whether this answers a command that was carried out before.
  public var isDuplicate: Bool

  public init(
    stream: StreamID, revision: Revision, position: GlobalPosition, eventCount: Int,
    outcome: [UInt8], isDuplicate: Bool = false
  ) {
    self.stream = stream
    self.revision = revision
    self.position = position
    self.eventCount = eventCount
    self.outcome = outcome
    self.isDuplicate = isDuplicate
  }
}
