/// A durable event where it lies: what a ``RecordedEvent`` is, without a copy of its own.
///
/// The bytes that it points at are the store's, and there only during the call that the view is
/// given to. Whoever keeps something of it copies it: ``recorded`` copies it all.
public struct EventView {
  public let position: GlobalPosition
  public let revision: Revision
  public let time: Timestamp
  /// The number of the type's data schema, from 1.
  public let schema: UInt16
  /// The stream's name, category included.
  public let stream: UnsafeRawBufferPointer
  /// The type's name in UTF-8.
  public let type: UnsafeRawBufferPointer
  /// A JSON object, as ``RecordedEvent/data``.
  public let data: UnsafeRawBufferPointer
  /// A JSON object, as ``RecordedEvent/meta``.
  public let meta: UnsafeRawBufferPointer

  /// - Parameter stream: a stream's name; ``StreamID/isName(_:)`` tells whether bytes are one.
  @inlinable
  public init(
    position: GlobalPosition, stream: UnsafeRawBufferPointer, revision: Revision,
    type: UnsafeRawBufferPointer, schema: UInt16, time: Timestamp, data: UnsafeRawBufferPointer,
    meta: UnsafeRawBufferPointer
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

  /// The stream's name as one that may be kept.
  public var streamID: StreamID { StreamID(name: stream) }

  /// The type's name as one that may be kept.
  public var eventType: EventType { EventType(String(decoding: type, as: UTF8.self)) }

  /// A copy that may be kept.
  public var recorded: RecordedEvent {
    RecordedEvent(
      position: position, stream: streamID, revision: revision, type: eventType, schema: schema,
      time: time, data: Array(data)[...], meta: Array(meta)[...])
  }

  /// Whether the event is of this stream.
  public func isOf(_ stream: StreamID) -> Bool { self.stream.isText(stream.description) }

  /// Whether the event is of the stream whose name these bytes are.
  public func isOf(streamNamed name: [UInt8]) -> Bool {
    name.withUnsafeBytes { stream.equals($0) }
  }

  /// Whether the event's stream is of this category.
  public func isOf(_ category: StreamCategory) -> Bool {
    StreamID.category(of: stream) == category
  }
}

extension RecordedEvent {
  /// Gives `body` the event as a view.
  public func withView<Result>(_ body: (EventView) -> Result) -> Result {
    var stream = stream.description
    var type = type.description
    return stream.withUTF8 { stream in
      type.withUTF8 { type in
        data.withUnsafeBytes { data in
          meta.withUnsafeBytes { meta in
            body(
              EventView(
                position: position, stream: UnsafeRawBufferPointer(stream), revision: revision,
                type: UnsafeRawBufferPointer(type), schema: schema, time: time, data: data,
                meta: meta))
          }
        }
      }
    }
  }
}
