internal import EventSourcing
internal import FastJSON
internal import Wire

/// Turns events into the messages of the XPUB feed, where `prev` is the position of the same
/// stream's event before, so that a plain SUB on one stream notices what it missed.
struct EventFeed {
  /// Streams whose last position is remembered; beyond it the log is asked again.
  private static let rememberedStreams = 100_000

  private let store: any EventStore
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

  mutating func messages(
    for events: [RecordedEvent]
  ) throws(ReadError) -> [(topic: [UInt8], content: [UInt8])] {
    var messages: [(topic: [UInt8], content: [UInt8])] = []
    messages.reserveCapacity(events.count)
    var writer = JSONWriter(capacity: 512)
    for event in events {
      writer.removeAll()
      event.write(previous: try previousPosition(of: event), to: &writer)
      messages.append((Array("\(event.stream) \(event.type)".utf8), writer.bytes))
      cursor = event.position
    }
    return messages
  }

  private mutating func previousPosition(
    of event: RecordedEvent
  ) throws(ReadError) -> GlobalPosition {
    if lastPositions.count > Self.rememberedStreams { lastPositions = [:] }
    let known = lastPositions[event.stream]
    lastPositions[event.stream] = (event.revision, event.position)
    if event.revision.rawValue <= 1 { return .start }
    if let known, known.revision.advanced(by: 1) == event.revision { return known.position }
    let before = try store.read(
      event.stream, after: Revision(event.revision.rawValue - 2), limit: ReadLimit(events: 1))
    return before.first?.position ?? .start
  }

  /// The beat that tells a SUB how far the log has come.
  static func headMessage(_ head: GlobalPosition) -> (topic: [UInt8], content: [UInt8]) {
    var writer = JSONWriter(capacity: 32)
    writer.beginObject()
    writer.key("head")
    writer.value(head.rawValue)
    writer.endObject()
    return (Array("~head".utf8), writer.bytes)
  }
}
