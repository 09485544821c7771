public import EventSourcing
public import FastJSON

extension RecordedEvent {
  /// At most as many bytes as ``write(previous:to:)`` adds.
  public var writtenBytesLimit: Int {
    // Member names and punctuation, four numbers of up to 20 digits, and the time.
    data.count + meta.count + stream.description.utf8.count + type.description.utf8.count + 256
  }

  /// Writes the event as clients get it: `data` and `meta` are the stored bytes, the envelope
  /// around them is framed by copying.
  ///
  /// - Parameter previous: the event's `prev`, left out where nil.
  public func write(previous: GlobalPosition? = nil, to writer: inout JSONWriter) {
    writer.beginObject()
    writer.key("position")
    writer.value(position.rawValue)
    writer.key("stream")
    writer.value(stream.description)
    writer.key("revision")
    writer.value(revision.rawValue)
    writer.key("type")
    writer.value(type.description)
    writer.key("schema")
    writer.value(Int(schema))
    writer.key("time")
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 27) { buffer in
      time.write(to: buffer)
      writer.value(utf8: UnsafeBufferPointer(buffer))
    }
    writer.key("data")
    writer.raw(data)
    writer.key("meta")
    writer.raw(meta)
    if let previous {
      writer.key("prev")
      writer.value(previous.rawValue)
    }
    writer.endObject()
  }
}

/// Writes what a subscription sends unasked.
public enum SubscriptionMessage {
  /// The catch-up is over: everything up to `position` has been sent.
  public static func live(_ subscription: String, position: GlobalPosition) -> [UInt8] {
    message(subscription) { writer in
      writer.key("live")
      writer.value(true)
      writer.key("position")
      writer.value(position.rawValue)
    }
  }

  /// Nothing to send, but the service lives.
  public static func heartbeat(_ subscription: String, head: GlobalPosition) -> [UInt8] {
    message(subscription) { writer in
      writer.key("heartbeat")
      writer.value(true)
      writer.key("head")
      writer.value(head.rawValue)
    }
  }

  /// What goes on in a stream before it is an event.
  public static func preview(
    _ preview: StreamPreview, of subscription: String, to writer: inout JSONWriter
  ) {
    begin(subscription, &writer)
    writer.key("preview")
    preview.write(to: &writer)
    writer.endObject()
  }

  /// Nothing more will come.
  public static func ended(_ subscription: String, code: ErrorCode, message text: String) -> [UInt8]
  {
    message(subscription) { writer in
      writer.key("ended")
      writer.value(code.rawValue)
      writer.key("message")
      writer.value(text)
    }
  }

  /// What stands before the first event of a message; behind the last one goes `]}`.
  public static func beginningOfEvents(_ subscription: String) -> [UInt8] {
    var writer = JSONWriter(capacity: 64)
    begin(subscription, &writer)
    writer.key("events")
    writer.beginArray()
    return writer.bytes
  }

  private static func begin(_ subscription: String, _ writer: inout JSONWriter) {
    writer.beginObject()
    writer.key("sub")
    writer.value(subscription)
  }

  private static func message(
    _ subscription: String, _ body: (inout JSONWriter) -> Void
  ) -> [UInt8] {
    var writer = JSONWriter(capacity: 96)
    begin(subscription, &writer)
    body(&writer)
    writer.endObject()
    return writer.bytes
  }
}
