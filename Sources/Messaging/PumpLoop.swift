internal import ActorRuntime
internal import EventSourcing
internal import Wire

/// Where the pump's loop puts what it makes.
protocol PumpWindow {
  var hasRoom: Bool { get }
  var feedHasListeners: Bool { get }
  func send(_ frame: SubscriptionFrame)
  func send(feed messages: [(topic: [UInt8], content: [UInt8])])
  func ended(_ subscription: String)
}

/// The pump's own state, touched by its thread alone.
struct PumpLoop {
  private static let eventsPerRead = 1000
  private static let readBytes = 256 << 10
  private static let sharedReads = 8
  /// How often an unread log is looked at again, and a full window.
  private static let retryMilliseconds = 100
  private static let feedBeatMilliseconds = 1000

  private let store: any EventStore
  private var subscriptions: [String: Subscription] = [:]
  private var feed: EventFeed
  private var lastFeedBeat = 0
  /// What was read in this turn, since live subscriptions stand at the same cursor.
  private var recent: [GlobalPosition: [RecordedEvent]] = [:]
  /// Bytes sent and not shown to be taken, as of this turn.
  private var outstanding: [PeerAddress: Int] = [:]
  private var outstandingTotal = 0
  private(set) var waitMilliseconds = 1000

  init(store: any EventStore) {
    self.store = store
    feed = EventFeed(store: store)
  }

  /// Follows the instructions, then lets every subscription that can go on do so once.
  mutating func turn(_ instructions: [SubscriptionPump.Instruction], window: some PumpWindow) {
    let now = MonotonicTime.milliseconds
    for instruction in instructions { follow(instruction, now: now) }
    let head = store.head
    recent.removeAll(keepingCapacity: true)
    countOutstanding()
    var isBehind = pumpFeed(head: head, now: now, window)
    for id in Array(subscriptions.keys) {
      isBehind = advance(id, head: head, now: now, window) || isBehind
    }
    if !isBehind {
      waitMilliseconds = subscriptions.values.contains { $0.notBefore > now } ? 50 : 1000
    } else {
      waitMilliseconds = window.hasRoom ? 0 : Self.retryMilliseconds
    }
  }

  private mutating func follow(_ instruction: SubscriptionPump.Instruction, now: Int) {
    switch instruction {
    case .subscribe(let id, let peer, let filter, let from, let credit):
      subscriptions[id] = Subscription(
        id: id, peer: peer, filter: filter, from: from, credit: credit, now: now)
    case .grant(let id, let count): subscriptions[id]?.grant(count)
    case .remove(let id): subscriptions[id] = nil
    case .rewind(let frame): subscriptions[frame.subscription]?.rewind(to: frame, now: now)
    }
  }

  /// - Returns: whether the subscription could go on at once.
  private mutating func advance(
    _ id: String, head: GlobalPosition, now: Int, _ window: some PumpWindow
  ) -> Bool {
    guard var subscription = subscriptions[id] else { return false }
    defer { if subscriptions[id] != nil { subscriptions[id] = subscription } }
    beat(&subscription, head: head, now: now, window)
    guard subscription.isReady(head: head, now: now) else { return false }
    // Whoever is held is looked at again when credit is granted.
    guard !isHeld(subscription) else { return false }
    guard window.hasRoom else { return true }
    do throws(ReadError) {
      if subscription.point.cursor < head {
        let frame = subscription.take(try events(after: subscription.point.cursor))
        count(frame)
        send(frame, &subscription, now, window)
      }
      send(subscription.announceLive(head: head), &subscription, now, window)
      return subscription.isReady(head: head, now: now) && !isHeld(subscription)
    } catch {
      end(subscription, error, window)
      return false
    }
  }

  // MARK: What waits at the peers

  /// Credit bounds one subscription; this bounds what all those of a peer, and of all peers, keep
  /// waiting in libzmq's queues. A peer is never held while nothing waits for it.
  private func isHeld(_ subscription: Subscription) -> Bool {
    outstanding[subscription.peer, default: 0] >= WireLimits.outstandingBytes
      || outstandingTotal >= WireLimits.totalOutstandingBytes && subscription.outstanding.bytes > 0
  }

  private mutating func countOutstanding() {
    outstanding.removeAll(keepingCapacity: true)
    outstandingTotal = 0
    for subscription in subscriptions.values where subscription.outstanding.bytes > 0 {
      outstanding[subscription.peer, default: 0] += subscription.outstanding.bytes
      outstandingTotal += subscription.outstanding.bytes
    }
  }

  private mutating func count(_ frame: SubscriptionFrame?) {
    guard let frame else { return }
    outstanding[frame.peer, default: 0] += frame.content.count
    outstandingTotal += frame.content.count
  }

  private func send(
    _ frame: SubscriptionFrame?, _ subscription: inout Subscription, _ now: Int,
    _ window: some PumpWindow
  ) {
    guard let frame else { return }
    subscription.lastSent = now
    window.send(frame)
  }

  private func beat(
    _ subscription: inout Subscription, head: GlobalPosition, now: Int, _ window: some PumpWindow
  ) {
    guard now - subscription.lastSent >= WireLimits.heartbeatMilliseconds, window.hasRoom else {
      return
    }
    send(subscription.heartbeat(head: head), &subscription, now, window)
  }

  /// Damage ends the subscription with its reason: silence would look like an idle log.
  private mutating func end(
    _ subscription: Subscription, _ error: ReadError, _ window: some PumpWindow
  ) {
    let content = SubscriptionMessage.ended(
      subscription.id, code: .unavailable, message: error.description)
    window.send(
      SubscriptionFrame(
        subscription: subscription.id, peer: subscription.peer,
        generation: subscription.generation, before: subscription.point, content: content))
    window.ended(subscription.id)
    subscriptions[subscription.id] = nil
  }

  private mutating func events(after cursor: GlobalPosition) throws(ReadError) -> [RecordedEvent] {
    if let events = recent[cursor] { return events }
    let events = try store.read(
      after: cursor, limit: ReadLimit(events: Self.eventsPerRead, bytes: Self.readBytes))
    // Subscriptions that catch up stand all over the log; only those near each other share.
    if recent.count >= Self.sharedReads { recent.removeAll(keepingCapacity: true) }
    recent[cursor] = events
    return events
  }

  /// - Returns: whether more events could be fed at once.
  private mutating func pumpFeed(
    head: GlobalPosition, now: Int, _ window: some PumpWindow
  ) -> Bool {
    guard window.feedHasListeners else {
      feed.skip(to: head)
      return false
    }
    guard window.hasRoom else { return true }
    if feed.cursor < head {
      do throws(ReadError) {
        window.send(feed: try feed.messages(for: try events(after: feed.cursor)))
      } catch {
        // The feed is best effort: whoever needs the events meets the damage in `read`.
        feed.skip(to: head)
      }
    }
    if now - lastFeedBeat >= Self.feedBeatMilliseconds {
      lastFeedBeat = now
      // Of what was fed, so that a SUB that has it all does not take the beat for a loss.
      window.send(feed: [EventFeed.headMessage(min(head, feed.cursor))])
    }
    return feed.cursor < head
  }
}
