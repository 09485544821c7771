internal import EventSourcing
internal import FastJSON
internal import Wire

/// Turns events into the messages of the XPUB feed, where `prev` is the position of the same
/// stream's event before, so that a plain SUB on one stream notices what it missed.
struct EventFeed {
  /// Streams whose last position is remembered; beyond it the log is asked again.
  private static let rememberedStreams = 100_000

  private let store: any EventStore
  private var writer = EventWriter()
  private var messages: [FeedBatch.Message] = []
  private var lastPositions: [StreamID: (revision: Revision, position: GlobalPosition)] = [:]
  private(set) var cursor: GlobalPosition

  init(store: any EventStore) {
    self.store = store
    cursor = store.head
  }

  /// Goes on without sending: nobody listens.
  mutating func skip(to head: GlobalPosition) {
    cursor = max(cursor, head)
  }

  /// Makes the message of the event behind the cursor.
  mutating func take(_ event: EventView) throws(ReadError) {
    let previous = try previousPosition(of: event)
    addMessage {
      $0.add(event.stream)
      $0.add(CollectionOfOne(UInt8(ascii: " ")))
      $0.add(event.type)
    } content: {
      $0.add(event, previous: previous)
    }
    cursor = event.position
  }

  /// Makes the beat that tells a SUB how far the log has come.
  mutating func takeHead(_ head: GlobalPosition) {
    var text = JSONWriter(capacity: 32)
    text.beginObject()
    text.key("head")
    text.value(head.rawValue)
    text.endObject()
    addMessage {
      $0.add("~head".utf8)
    } content: {
      $0.add(text.bytes)
    }
  }

  /// The messages made since this was last called; nil where there are none.
  mutating func takeBatch() -> FeedBatch? {
    guard !messages.isEmpty else { return nil }
    defer { messages = [] }
    return FeedBatch(bytes: writer.take(), messages: messages)
  }

  private mutating func addMessage(
    topic: (inout EventWriter) -> Void, content: (inout EventWriter) -> Void
  ) {
    let start = writer.count
    topic(&writer)
    let middle = writer.count
    content(&writer)
    messages.append(
      FeedBatch.Message(topic: start..<middle, content: middle..<writer.count))
  }

  private mutating func previousPosition(
    of event: EventView
  ) throws(ReadError) -> GlobalPosition {
    if lastPositions.count > Self.rememberedStreams { lastPositions = [:] }
    let stream = event.streamID
    let known = lastPositions.updateValue((event.revision, event.position), forKey: stream)
    if event.revision.rawValue <= 1 { return .start }
    if let known, known.revision.advanced(by: 1) == event.revision { return known.position }
    let before = try store.read(
      stream, after: Revision(event.revision.rawValue - 2), limit: ReadLimit(events: 1))
    return before.first?.position ?? .start
  }
}
