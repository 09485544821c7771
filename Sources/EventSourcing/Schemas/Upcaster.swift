public import FastJSON

/// One step in the life of an event type: brings data from one schema to the next.
///
/// Pure and total, as `apply` is: it may not ask a clock, a file or another event, and data that does
/// not look as it should is handed on as it is, so that the one who reads it says what is wrong.
public struct Upcaster: Sendable {
  /// A type and the number of a form that its data has or had.
  public struct Form: Hashable, Sendable, CustomStringConvertible {
    public let type: EventType
    public let schema: UInt16

    public init(_ type: EventType, _ schema: UInt16) {
      self.type = type
      self.schema = schema
    }

    public var description: String { "\(type) of schema \(schema)" }
  }

  /// What it takes.
  public let from: Form
  /// What it gives.
  public let to: Form
  let upcast: @Sendable (JSON) -> JSON

  /// A step to the next schema of the same type.
  ///
  /// - Parameters:
  ///   - schema: the number of the schema that it takes.
  ///   - upcast: gives the new data. Its members are stored in nobody's log but read by everybody, so
  ///     their order must hang on the old data alone.
  public init(
    _ type: EventType, from schema: UInt16, _ upcast: @escaping @Sendable (JSON) -> JSON
  ) {
    from = Form(type, schema)
    // Of the greatest number there is no next; ``Upcasters`` refuses the step.
    to = Form(type, schema == .max ? 0 : schema + 1)
    self.upcast = upcast
  }

  /// A step to another name for the type, and the schema of that name which the data then has.
  public init(
    renaming type: EventType, from schema: UInt16, to newType: EventType, schema newSchema: UInt16,
    _ upcast: @escaping @Sendable (JSON) -> JSON = { $0 }
  ) {
    from = Form(type, schema)
    to = Form(newType, newSchema)
    self.upcast = upcast
  }
}
