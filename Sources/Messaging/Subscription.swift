internal import EventSourcing
internal import FastJSON
internal import Wire

/// One subscription's state machine: it turns events into messages within its credit, and can go
/// back to a message that could not be sent.
///
/// There is one delivery path: history and live events alike are read from the log behind the
/// cursor, so there is no seam between the two, and a slow peer costs no memory.
struct Subscription {
  let id: String
  let peer: PeerAddress
  let filter: EventFilter
  private(set) var point: SubscriptionPoint
  private(set) var granted: Int
  private(set) var generation = 0
  /// Nothing is sent before this time, in milliseconds of the monotonic clock.
  private(set) var notBefore = 0
  private(set) var outstanding = OutstandingMessages()
  var lastSent: Int

  init(
    id: String, peer: PeerAddress, filter: EventFilter, from: GlobalPosition, credit: Int, now: Int
  ) {
    self.id = id
    self.peer = peer
    self.filter = filter
    point = SubscriptionPoint(cursor: from, previous: from, sent: 0, isLive: false)
    granted = credit
    lastSent = now
  }

  /// Events that may still be sent.
  var credit: Int { max(0, granted - point.sent) }

  mutating func grant(_ count: Int) {
    // A client cannot have more in flight than the limit, however much it grants.
    granted = min(granted + count, point.sent + WireLimits.credit)
    outstanding.acknowledge(count)
  }

  /// Whether there is something to do at `now`, given the log's head.
  func isReady(head: GlobalPosition, now: Int) -> Bool {
    guard now >= notBefore else { return false }
    return point.cursor < head ? credit > 0 : !point.isLive
  }

  /// Takes in events that were read behind the cursor, as far as credit and message size allow.
  ///
  /// - Returns: the message, nil where no event passed the filter.
  mutating func take(_ events: [RecordedEvent]) -> SubscriptionFrame? {
    let before = point
    var writer = JSONWriter(capacity: 8192)
    for event in events {
      if filter.matches(event) {
        guard credit > 0, hasRoom(for: event, writer) else { break }
        begin(&writer)
        event.write(previous: point.previous, to: &writer)
        point.previous = event.position
        point.sent += 1
      }
      point.cursor = event.position
    }
    guard point.sent > before.sent else { return nil }
    writer.endArray()
    writer.endObject()
    outstanding.add(
      events: point.sent - before.sent, bytes: writer.count, before: before.sent)
    return frame(writer.bytes, before: before)
  }

  private func hasRoom(for event: RecordedEvent, _ writer: JSONWriter) -> Bool {
    writer.count == 0
      || writer.count < WireLimits.eventMessageBytes
        && writer.count + event.writtenBytesLimit <= WireLimits.eventBytes
  }

  private func begin(_ writer: inout JSONWriter) {
    guard writer.count == 0 else { return }
    SubscriptionMessage.begin(id, &writer)
    writer.key("events")
    writer.beginArray()
  }

  /// The announcement that history is over, the first time that it is.
  mutating func announceLive(head: GlobalPosition) -> SubscriptionFrame? {
    guard !point.isLive, point.cursor >= head else { return nil }
    let before = point
    point.isLive = true
    return frame(SubscriptionMessage.live(id, position: point.cursor), before: before)
  }

  func heartbeat(head: GlobalPosition) -> SubscriptionFrame {
    frame(SubscriptionMessage.heartbeat(id, head: head), before: point)
  }

  /// Goes back to before a message that the peer's queue had no room for.
  mutating func rewind(to frame: SubscriptionFrame, now: Int) {
    guard frame.generation == generation else { return }
    generation += 1
    point = frame.before
    outstanding.forget(after: point.sent)
    notBefore = now + 50
  }

  private func frame(_ content: [UInt8], before: SubscriptionPoint) -> SubscriptionFrame {
    SubscriptionFrame(
      subscription: id, peer: peer, generation: generation, before: before, content: content)
  }
}
