/// An event type's stable name, for example `mail.flagged`: golden once released.
public struct EventType: Hashable, Sendable, CustomStringConvertible, ExpressibleByStringLiteral {
  public let description: String

  public init(_ name: String) { description = name }
  public init(stringLiteral name: String) { description = name }
}

/// A durable event as every reader gets it.
///
/// `data` and `meta` are JSON objects, the very bytes that were stored, but for the `data` of an event
/// that ``Upcasters`` brought to its present schema.
public struct RecordedEvent: Sendable, Equatable {
  public let position: GlobalPosition
  public let stream: StreamID
  public let revision: Revision
  public let type: EventType
  /// The number of the type's data schema, from 1.
  public let schema: UInt16
  public let time: Timestamp
  public let data: ArraySlice<UInt8>
  public let meta: ArraySlice<UInt8>

  public init(
    position: GlobalPosition, stream: StreamID, revision: Revision, type: EventType,
    schema: UInt16, time: Timestamp, data: ArraySlice<UInt8>, meta: ArraySlice<UInt8>
  ) {
    self.position = position
    self.stream = stream
    self.revision = revision
    self.type = type
    self.schema = schema
    self.time = time
    self.data = data
    self.meta = meta
  }
}
