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
  /// The message in the making; empty between two turns of the pump.
  private var writer = EventWriter()
  /// What every message with events begins with.
  private let opening: [UInt8]
  /// Where the subscription stood before the message in the making.
  private var before: SubscriptionPoint

  init(
    id: String, peer: PeerAddress, filter: EventFilter, from: GlobalPosition, credit: Int, now: Int
  ) {
    self.id = id
    self.peer = peer
    self.filter = filter
    point = SubscriptionPoint(cursor: from, previous: from, sent: 0, isLive: false)
    before = point
    granted = credit
    lastSent = now
    opening = SubscriptionMessage.beginningOfEvents(id)
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

  /// Takes in the event behind the cursor.
  ///
  /// - Returns: false where the message in the making, or the credit, has no room for it.
  mutating func take(_ event: EventView) -> Bool {
    if filter.matches(event) {
      guard credit > 0, hasRoom(for: event) else { return false }
      if writer.isEmpty {
        before = point
        writer.add(opening)
      }
      writer.add(event, previous: point.previous)
      point.previous = event.position
      point.sent += 1
    }
    point.cursor = event.position
    return true
  }

  private func hasRoom(for event: EventView) -> Bool {
    writer.isEmpty
      || writer.count < WireLimits.eventMessageBytes
        && writer.count + event.writtenBytesLimit <= WireLimits.eventBytes
  }

  /// Ends the message in the making; nil where no event has gone into it.
  mutating func endMessage() -> SubscriptionFrame? {
    if writer.isEmpty { return nil }
    writer.add("]}".utf8)
    let content = writer.take()
    outstanding.add(
      events: point.sent - before.sent, bytes: content.count, before: before.sent)
    return frame(content, before: before)
  }

  /// The announcement that history is over, the first time that it is.
  mutating func announceLive(head: GlobalPosition) -> SubscriptionFrame? {
    guard !point.isLive, point.cursor >= head else { return nil }
    let before = point
    point.isLive = true
    let message = SubscriptionMessage.live(id, position: point.cursor)
    return frame(MessageBytes(message), before: before)
  }

  func heartbeat(head: GlobalPosition) -> SubscriptionFrame {
    frame(MessageBytes(SubscriptionMessage.heartbeat(id, head: head)), before: point)
  }

  /// Damage, or a log that cannot be read: nothing more will come.
  func ended(_ error: ReadError) -> SubscriptionFrame {
    let message = SubscriptionMessage.ended(
      id, code: .unavailable, message: error.description)
    return frame(MessageBytes(message), before: point)
  }

  /// Goes back to before a message that the peer's queue had no room for.
  mutating func rewind(to frame: SubscriptionFrame, now: Int) {
    guard frame.generation == generation else { return }
    generation += 1
    point = frame.before
    outstanding.forget(after: point.sent)
    notBefore = now + 50
  }

  private func frame(_ content: MessageBytes, before: SubscriptionPoint) -> SubscriptionFrame {
    SubscriptionFrame(
      subscription: id, peer: peer, generation: generation, before: before, content: content)
  }
}
