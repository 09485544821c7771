public import FastJSON

/// An aggregate's event and its stored form.
public protocol EventCodable: Sendable {
  /// The stable name, for example `mail.flagged`.
  var type: EventType { get }
  /// The schema number in which ``writeData(to:)`` writes.
  var schema: UInt16 { get }

  /// Writes the event's `data`, one JSON object, members in a fixed order.
  func writeData(to writer: inout JSONWriter)

  /// Reads data of the present schema: what older versions wrote was brought to it by ``Upcasters``.
  ///
  /// - Parameters:
  ///   - type: the stored name, or the one that it was renamed to.
  ///   - schema: the number of the form that `data` has; any but the present one is refused before
  ///     anything of `data` is looked at.
  ///   - data: valid only during the call.
  init(type: EventType, schema: UInt16, data: JSONValue) throws(EventCodingError)

  /// Reads an event whose data is in the very form that ``writeData(to:)`` gives it, without a
  /// parser.
  ///
  /// - Returns: what ``init(type:schema:data:)`` would give; nil for whatever is left to that.
  init?(canonical event: EventView)
}

extension EventCodable {
  /// Leaves all events to the parser.
  public init?(canonical event: EventView) { nil }

  /// Reads an event where it lies, most of them without the parser.
  @inlinable @inline(__always)
  public init(_ event: EventView, _ parser: JSONParser) throws(EventCodingError) {
    if let known = Self(canonical: event) {
      self = known
    } else {
      self = try Self.parse(event, parser)
    }
  }

  @usableFromInline
  static func parse(_ event: EventView, _ parser: JSONParser) throws(EventCodingError) -> Self {
    defer { withExtendedLifetime(parser) {} }
    let type = event.eventType
    let data: JSONValue
    do throws(JSONSyntaxError) {
      data = try parser.parse(event.data)
    } catch {
      throw EventCodingError(
        type: type, schema: event.schema, .data("its data is no JSON: \(error)"))
    }
    return try Self(type: type, schema: event.schema, data: data)
  }
}

/// An event that this version cannot read.
public struct EventCodingError: Error, Sendable, Equatable, CustomStringConvertible {
  /// What stands in the way.
  public enum Cause: Sendable, Equatable {
    /// A newer version of the program wrote it; this one knows schemas up to `known`.
    case newerSchema(known: UInt16)
    /// Nothing has brought it to the schema `known`, which alone is read.
    case olderSchema(known: UInt16)
    case unknownType
    /// What is wrong with the data.
    case data(String)
  }

  public let type: EventType
  public let schema: UInt16
  public let cause: Cause

  public init(type: EventType, schema: UInt16, _ cause: Cause) {
    self.type = type
    self.schema = schema
    self.cause = cause
  }

  /// For an event of another schema than the one that is read.
  public init(type: EventType, schema: UInt16, known: UInt16) {
    let cause: Cause =
      schema > known ? .newerSchema(known: known) : .olderSchema(known: known)
    self.init(type: type, schema: schema, cause)
  }

  public var description: String { "cannot read \(type) of schema \(schema): \(cause)" }
}

extension EventCodingError.Cause: CustomStringConvertible {
  public var description: String {
    switch self {
    case .newerSchema(let known):
      "a newer version of the service wrote it, this one knows schema \(known); run the newer one"
    case .olderSchema(let known): "it was not brought to schema \(known)"
    case .unknownType: "this version of the service does not know the type; run a newer one"
    case .data(let reason): reason
    }
  }
}

/// An aggregate's command and its form on the wire.
public protocol CommandCodable: Sendable {
  /// The name on the wire, for example `mark-read`.
  var name: String { get }

  /// Reads a command's name and data.
  ///
  /// - Parameters:
  ///   - name: as it came on the wire; like `data` valid only during the call.
  ///   - data: a JSON object.
  /// - Throws: `unknown-command`, or `invalid` naming the field and what it must be.
  init(name: JSONText, data: JSONValue) throws(ServiceError)

  /// Writes the command's `data` in its one canonical form: what the same command decodes to is
  /// written the same, whatever form it came in. Its hash tells a repeated command from a reused id.
  func writeData(to writer: inout JSONWriter)

  /// Another stream of the same category, of whose state the command takes something over: the
  /// command is decided once that is loaded, by ``Aggregate/decide(_:on:in:)``. Nil for most.
  var source: StreamID? { get }
}

extension CommandCodable {
  @inlinable public var source: StreamID? { nil }

  /// Reads a command's name and data.
  public init(name: String, data: JSONValue) throws(ServiceError) {
    self = try name.withJSONText { name throws(ServiceError) in
      try Self(name: name, data: data)
    }
  }
}
