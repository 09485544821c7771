internal import ActorRuntime
internal import EventSourcing
internal import Synchronization
internal import Wire

/// The thread that reads the log for subscriptions and the feed, and gives the server the messages.
///
/// It hands over at most ``windowBytes`` that the server has not sent yet; so whatever subscribers
/// do, what waits here is bounded.
final class SubscriptionPump: Sendable {
  enum Instruction: Sendable {
    case subscribe(
      id: String, peer: PeerAddress, filter: EventFilter, from: GlobalPosition, credit: Int)
    case grant(id: String, count: Int)
    case remove(id: String)
    /// The peer's queue had no room for this message.
    case rewind(SubscriptionFrame)
  }

  private struct Inbox {
    var instructions: [Instruction] = []
    var isStopping = false
    var hasNews = false
  }

  static let windowBytes = 16 << 20

  private let store: any EventStore
  private let outbound: Handoff<Outbound>
  private let inbox = Monitor(Inbox())
  private let thread = Lock<NamedThread?>(nil)
  private let observation = Lock<HeadObservation?>(nil)
  /// Bytes given to the server and not sent yet.
  private let unsentBytes = Atomic<Int>(0)
  /// Whether anybody has subscribed to the feed.
  private let hasFeedListeners = Atomic<Bool>(false)

  init(store: any EventStore, outbound: Handoff<Outbound>) {
    self.store = store
    self.outbound = outbound
  }

  func start() {
    observation.withLock { observation in
      observation = store.observeHead { [inbox] _ in inbox.change { $0.hasNews = true } }
    }
    let started = NamedThread("subscriptions") { [self] in
      var loop = PumpLoop(store: store)
      while let instructions = next(loop.waitMilliseconds) {
        loop.turn(instructions, window: self)
      }
    }
    thread.withLock { $0 = started }
  }

  func stop() {
    observation.withLock { observation in
      if let observation { store.cancel(observation) }
      observation = nil
    }
    inbox.change { $0.isStopping = true }
    thread.withLock { thread in
      thread?.join()
      thread = nil
    }
  }

  func give(_ instruction: Instruction) {
    inbox.change { inbox in
      inbox.instructions.append(instruction)
      inbox.hasNews = true
    }
  }

  /// The server has sent, or dropped, this many bytes.
  func settled(bytes: Int) {
    let before = unsentBytes.subtract(bytes, ordering: .relaxed).oldValue
    // Wakes the pump only where it may be waiting for room.
    if before >= Self.windowBytes / 2 { inbox.change { $0.hasNews = true } }
  }

  func setFeedListeners(_ exist: Bool) { hasFeedListeners.store(exist, ordering: .relaxed) }

  private func next(_ milliseconds: Int) -> [Instruction]? {
    let taken: [Instruction]?? = inbox.wait(milliseconds: milliseconds) { inbox in
      if inbox.isStopping { return .some(nil) }
      guard inbox.hasNews else { return nil }
      defer { inbox = Inbox() }
      return .some(inbox.instructions)
    }
    return taken ?? []
  }
}

extension SubscriptionPump: PumpWindow {
  var hasRoom: Bool { unsentBytes.load(ordering: .relaxed) < Self.windowBytes }
  var feedHasListeners: Bool { hasFeedListeners.load(ordering: .relaxed) }

  func send(_ frame: SubscriptionFrame) {
    unsentBytes.add(frame.content.count, ordering: .relaxed)
    outbound.give(.subscription(frame))
  }

  func send(feed batch: FeedBatch) {
    unsentBytes.add(batch.bytes.count, ordering: .relaxed)
    outbound.give(.feed(batch))
  }

  func ended(_ subscription: String) { outbound.give(.ended(subscription: subscription)) }
}
