internal import EventSourcing
internal import Wire

/// What other threads give the server to send.
enum Outbound: Sendable {
  /// A subscription's message.
  case subscription(SubscriptionFrame)
  /// Events for the feed.
  case feed(FeedBatch)
  /// A subscription is over.
  case ended(subscription: String)
}

/// A subscription's message, with what it takes to go back to before it.
struct SubscriptionFrame: Sendable {
  let subscription: String
  let peer: PeerAddress
  /// Counts how often the subscription went back; frames from before are void.
  let generation: Int
  /// Where the subscription stood before this message.
  let before: SubscriptionPoint
  let content: MessageBytes
}

/// How far a subscription has come.
struct SubscriptionPoint: Sendable, Equatable {
  /// Everything up to here has been looked at.
  var cursor: GlobalPosition
  /// The last event sent, or the position that the subscription began at.
  var previous: GlobalPosition
  /// Events sent so far, which credit is counted against.
  var sent: Int
  var isLive: Bool
}
