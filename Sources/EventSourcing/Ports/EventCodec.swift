public import FastJSON

/// An aggregate's event and its stored form.
public protocol EventCodable: Sendable {
  /// The stable name, for example `mail.flagged`.
  var type: EventType { get }
  /// The schema number in which ``writeData(to:)`` writes.
  var schema: UInt16 { get }

  /// Writes the event's `data`, one JSON object, members in a fixed order.
  func writeData(to writer: inout JSONWriter)

  /// Reads what any released version wrote.
  ///
  /// - Parameters:
  ///   - type: the stored name.
  ///   - schema: the number of the form that `data` has.
  ///   - data: valid only during the call.
  init(type: EventType, schema: UInt16, data: JSONValue) throws(EventCodingError)
}

/// An event that this version cannot read.
public struct EventCodingError: Error, Sendable, Equatable, CustomStringConvertible {
  public let type: EventType
  public let schema: UInt16
  public let reason: String

  public init(type: EventType, schema: UInt16, reason: String) {
    self.type = type
    self.schema = schema
    self.reason = reason
  }

  public var description: String { "cannot read \(type) of schema \(schema): \(reason)" }
}

/// An aggregate's command and its form on the wire.
public protocol CommandCodable: Sendable {
  /// The name on the wire, for example `mark-read`.
  var name: String { get }

  /// Reads a command's name and data.
  ///
  /// - Parameters:
  ///   - name: as it came on the wire.
  ///   - data: a JSON object, valid only during the call.
  /// - Throws: `unknown-command`, or `invalid` naming the field and what it must be.
  init(name: String, data: JSONValue) throws(ServiceError)

  /// Writes the command's `data` in its one canonical form: what the same command decodes to is
  /// written the same, whatever form it came in. Its hash tells a repeated command from a reused id.
  func writeData(to writer: inout JSONWriter)
}
