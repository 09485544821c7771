public import EventSourcing

/// What a server binds, and the limits that it holds to.
public struct ServerConfiguration: Sendable {
  /// ROUTER endpoint for requests; port `*` picks a free one.
  public var commands: String
  /// XPUB endpoint for the feed; port `*` picks a free one.
  public var events: String
  /// Connections to both endpoints together; further TCP connections wait outside.
  public var connectionLimit: Int
  /// A peer that connects and says nothing is let go after this.
  public var handshakeMilliseconds = 10_000
  /// Messages that may wait for one peer before a send to it is refused.
  public var sendQueue = 20_000
  /// Messages that may wait from one peer before its connection is read no further.
  public var receiveQueue = 1000
  /// Subscriptions at once; further ones are refused as `overloaded`.
  public var subscriptionLimit = 4096
  /// Reads, queries and rebuilds under way; further ones are refused as `overloaded`.
  public var slowRequestLimit = 10_000
  /// The same for one peer, so that it does not stand in the way of the others for long.
  public var slowRequestLimitOfPeer = 32
  /// Limits of the aggregates and their commands.
  /// What commands under way may come to in bytes; further ones are refused as `overloaded`.
  public var unansweredBytes = 256 << 20
  public var registry = AggregateRegistry.Limits()
  /// The service's version, as `status` tells it.
  public var version: String

  public init(
    commands: String = "tcp://127.0.0.1:7100", events: String = "tcp://127.0.0.1:7101",
    connectionLimit: Int = 8192, version: String
  ) {
    self.commands = commands
    self.events = events
    self.connectionLimit = connectionLimit
    self.version = version
  }
}
