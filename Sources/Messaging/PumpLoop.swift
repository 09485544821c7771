internal import ActorRuntime
internal import EventSourcing
internal import Wire

/// Where the pump's loop puts what it makes.
protocol PumpWindow {
  var hasRoom: Bool { get }
  var feedHasListeners: Bool { get }
  func send(_ frame: SubscriptionFrame)
  func send(feed batch: FeedBatch)
  func ended(_ subscription: String)
}

/// The pump's own state, touched by its thread alone.
struct PumpLoop {
  /// Of a subscription, until one is added or removed.
  private typealias Index = Dictionary<String, Subscription>.Index

  private static let readLimit = ReadLimit(events: 4096, bytes: 256 << 10)
  /// How often an unread log is looked at again, and a full window.
  private static let retryMilliseconds = 100
  private static let feedBeatMilliseconds = 1000

  private let store: any EventStore
  private var subscriptions: [String: Subscription] = [:]
  private var feed: EventFeed
  private var lastFeedBeat = 0
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
    countOutstanding()
    var isBehind = pumpFeed(head: head, now: now, window)
    isBehind = advance(head: head, now: now, window) || isBehind
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

  /// Those that stand at the same place, as live ones do, share one reading of the log.
  ///
  /// - Returns: whether a subscription could go on at once.
  private mutating func advance(
    head: GlobalPosition, now: Int, _ window: some PumpWindow
  ) -> Bool {
    var isBehind = false
    var readers: [GlobalPosition: [Index]] = [:]
    for index in subscriptions.values.indices {
      var subscription = subscriptions.values[index]
      if beat(&subscription, head: head, now: now, window) {
        subscriptions.values[index] = subscription
      }
      // Whoever is held is looked at again when credit is granted.
      guard subscription.isReady(head: head, now: now), !isHeld(subscription) else { continue }
      if !window.hasRoom {
        isBehind = true
      } else if subscription.point.cursor < head {
        readers[subscription.point.cursor, default: []].append(index)
      } else {
        announce(&subscription, head: head, now: now, window)
        subscriptions.values[index] = subscription
      }
    }
    var failed: [(id: String, error: ReadError)] = []
    for (cursor, indexes) in readers {
      var members = indexes.map { subscriptions.values[$0] }
      do throws(ReadError) {
        try deliver(to: &members, after: cursor, now, window)
      } catch {
        failed += members.map { ($0.id, error) }
      }
      for (index, var subscription) in zip(indexes, members) {
        announce(&subscription, head: head, now: now, window)
        subscriptions.values[index] = subscription
        isBehind =
          isBehind || subscription.isReady(head: head, now: now) && !isHeld(subscription)
      }
    }
    for (id, error) in failed { end(id, error, window) }
    return isBehind
  }

  /// Reads on behind `cursor`, where all of `members` stand, and sends each what it may have.
  private mutating func deliver(
    to members: inout [Subscription], after cursor: GlobalPosition, _ now: Int,
    _ window: some PumpWindow
  ) throws(ReadError) {
    // Sent even where the reading ends in damage: what is before it is sound.
    defer { for index in members.indices { endMessage(of: &members[index], now, window) } }
    var isGoing = [Bool](repeating: true, count: members.count)
    var going = members.count
    let store = store
    try store.visit(after: cursor, limit: Self.readLimit) { event in
      for index in members.indices where isGoing[index] && !members[index].take(event) {
        if !takeInNextMessage(event, &members[index], now, window) {
          isGoing[index] = false
          going -= 1
        }
      }
      return going > 0
    }
  }

  /// Goes on with a further message, as far as the subscription may have one.
  private mutating func takeInNextMessage(
    _ event: EventView, _ subscription: inout Subscription, _ now: Int, _ window: some PumpWindow
  ) -> Bool {
    endMessage(of: &subscription, now, window)
    guard subscription.credit > 0, !isHeld(subscription), window.hasRoom else { return false }
    return subscription.take(event)
  }

  private mutating func endMessage(
    of subscription: inout Subscription, _ now: Int, _ window: some PumpWindow
  ) {
    guard let frame = subscription.endMessage() else { return }
    outstanding[frame.peer, default: 0] += frame.content.count
    outstandingTotal += frame.content.count
    send(frame, &subscription, now, window)
  }

  private func announce(
    _ subscription: inout Subscription, head: GlobalPosition, now: Int, _ window: some PumpWindow
  ) {
    guard let frame = subscription.announceLive(head: head) else { return }
    send(frame, &subscription, now, window)
  }

  private func send(
    _ frame: SubscriptionFrame, _ subscription: inout Subscription, _ now: Int,
    _ window: some PumpWindow
  ) {
    subscription.lastSent = now
    window.send(frame)
  }

  /// - Returns: whether a heartbeat was due.
  private func beat(
    _ subscription: inout Subscription, head: GlobalPosition, now: Int, _ window: some PumpWindow
  ) -> Bool {
    guard now - subscription.lastSent >= WireLimits.heartbeatMilliseconds, window.hasRoom else {
      return false
    }
    send(subscription.heartbeat(head: head), &subscription, now, window)
    return true
  }

  /// Damage ends the subscription with its reason: silence would look like an idle log.
  private mutating func end(_ id: String, _ error: ReadError, _ window: some PumpWindow) {
    guard let subscription = subscriptions.removeValue(forKey: id) else { return }
    window.send(subscription.ended(error))
    window.ended(id)
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

  /// - Returns: whether more events could be fed at once.
  private mutating func pumpFeed(
    head: GlobalPosition, now: Int, _ window: some PumpWindow
  ) -> Bool {
    guard window.feedHasListeners else {
      feed.skip(to: head)
      return false
    }
    guard window.hasRoom else { return true }
    if feed.cursor < head { feedEvents(head: head) }
    if now - lastFeedBeat >= Self.feedBeatMilliseconds {
      lastFeedBeat = now
      // Of what was fed, so that a SUB that has it all does not take the beat for a loss.
      feed.takeHead(min(head, feed.cursor))
    }
    if let batch = feed.takeBatch() { window.send(feed: batch) }
    return feed.cursor < head
  }

  private mutating func feedEvents(head: GlobalPosition) {
    let store = store
    var failure: ReadError?
    do throws(ReadError) {
      try store.visit(after: feed.cursor, limit: Self.readLimit) { event in
        do throws(ReadError) {
          try feed.take(event)
          return true
        } catch {
          failure = error
          return false
        }
      }
    } catch {
      failure = error
    }
    // The feed is best effort: whoever needs the events meets the damage in `read`.
    if failure != nil { feed.skip(to: head) }
  }
}
