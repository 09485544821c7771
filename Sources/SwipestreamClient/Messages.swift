public import EventSourcing
public import FastJSON

/// A command on the wire.
public struct CommandMessage: Sendable {
  public var id: String
  public var stream: StreamID
  public var command: String
  public var data: JSON
  public var expected: Revision?
  /// Who asks, kept with the events.
  public var by: String?

  public init(
    id: String, stream: StreamID, command: String, data: JSON, expected: Revision? = nil,
    by: String? = nil
  ) {
    self.id = id
    self.stream = stream
    self.command = command
    self.data = data
    self.expected = expected
    self.by = by
  }

  /// The frame to send.
  public var content: [UInt8] {
    var members: [JSON.Member] = [
      .init("op", "command"), .init("id", .string(id)),
      .init("stream", .string(stream.description)), .init("command", .string(command)),
      .init("data", data),
    ]
    if let expected { members.append(.init("expect", .integer(Int(clamping: expected.rawValue)))) }
    if let by { members.append(.init("meta", .object([.init("by", .string(by))]))) }
    return JSON.object(members).bytes
  }
}

/// What a command did, durably.
public struct Receipt: Sendable, Equatable {
  public let stream: String
  public let revision: Revision
  /// Of the command's last event; the stream's present one where it wrote none.
  public let position: GlobalPosition
  public let eventCount: Int
  public let outcome: JSON
  /// Whether the command had been carried out before.
  public let isDuplicate: Bool

  init(_ json: JSON) throws(ClientError) {
    guard let stream = json["stream"]?.string, let revision = json["revision"]?.revision,
      let position = json["position"]?.position, let count = json["events"]?.integer
    else { throw .unexpectedAnswer("it is no receipt") }
    self.stream = stream
    self.revision = revision
    self.position = position
    eventCount = count
    outcome = json["outcome"] ?? .object([])
    isDuplicate = json["duplicate"]?.bool ?? false
  }
}

/// An event as the service tells it.
public struct Event: Sendable, Equatable {
  public let position: GlobalPosition
  public let stream: String
  public let revision: Revision
  public let type: String
  public let schema: Int
  /// RFC 3339.
  public let time: String
  public let data: JSON
  public let meta: JSON
  /// The event before it in this subscription; nil outside of one.
  public let previous: GlobalPosition?
  /// The event's own JSON.
  public let json: JSON

  init(_ json: JSON) throws(ClientError) {
    guard let position = json["position"]?.position, let stream = json["stream"]?.string,
      let revision = json["revision"]?.revision, let type = json["type"]?.string
    else { throw .unexpectedAnswer("it is no event") }
    self.position = position
    self.stream = stream
    self.revision = revision
    self.type = type
    schema = json["schema"]?.integer ?? 1
    time = json["time"]?.string ?? ""
    data = json["data"] ?? .null
    meta = json["meta"] ?? .null
    previous = json["prev"]?.position
    self.json = json
  }
}

extension JSON {
  /// The number as a position; nil where it is none, as a negative one is not.
  var position: GlobalPosition? { integer.flatMap { UInt64(exactly: $0) }.map(GlobalPosition.init) }

  /// The number as a revision; nil where it is none.
  var revision: Revision? { integer.flatMap { UInt64(exactly: $0) }.map(Revision.init) }
}
