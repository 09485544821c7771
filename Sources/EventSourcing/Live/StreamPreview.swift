public import FastJSON

/// A live state's news on its way out, with the stream that it is of.
public struct StreamPreview: Sendable, Equatable {
  public let stream: StreamID
  /// A JSON object, which does not name the stream.
  public let object: [UInt8]

  public init(stream: StreamID, object: [UInt8]) {
    self.stream = stream
    self.object = object
  }

  /// Writes it as one object, the stream first.
  public func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.key("stream")
    writer.value(stream.description)
    writer.members(ofObject: object)
    writer.endObject()
  }
}

/// Previews that wait for the events before them to be durable.
struct WaitingPreviews {
  private var previews: [(stream: StreamID, preview: LivePreview)] = []

  var isEmpty: Bool { previews.isEmpty }

  mutating func add(_ more: [LivePreview], of stream: StreamID) {
    for preview in more { previews.append((stream, preview)) }
  }

  mutating func removeAll() {
    if !previews.isEmpty { previews = [] }
  }

  /// Gives them in order.
  ///
  /// - Parameter isWritten: whether the events before them are durable.
  func give(isWritten: Bool, _ show: (StreamPreview) -> Void) {
    for (stream, preview) in previews {
      guard let object = isWritten ? preview.object : preview.ifUnwritten else { continue }
      show(StreamPreview(stream: stream, object: object))
    }
  }
}
