internal import Wire
internal import ZeroMQSockets

/// The server's sockets as they are made, with every limit set before they are bound.
struct BoundSockets {
  let router: Socket
  let feed: Socket
  let connections: ConnectionLimiter
  let polled: DescriptorSet
  /// In ``polled``: the feed and the monitors.
  static let quietIndices = 1...3
  let endpoints: (commands: String, events: String)

  init(
    _ configuration: ServerConfiguration, _ context: Context, wake: Int32
  ) throws(ZeroMQError) {
    router = try Socket(.router, in: context)
    try router.setMandatoryRouting()
    try router.setFrameSizeLimit(WireLimits.connectionFrameBytes)
    try Self.setLimits(router, configuration)
    feed = try Socket(.xpublish, in: context)
    // Only subscriptions come in here: a topic prefix and one byte.
    try feed.setFrameSizeLimit(1024)
    try Self.setLimits(feed, configuration)
    let routerMonitor = try ConnectionMonitor(of: router, in: context, name: "commands")
    let feedMonitor = try ConnectionMonitor(of: feed, in: context, name: "events")
    try router.bind(configuration.commands)
    try feed.bind(configuration.events)
    endpoints = (router.lastEndpoint, feed.lastEndpoint)
    connections = ConnectionLimiter(
      monitors: [routerMonitor, feedMonitor], limit: configuration.connectionLimit)
    var polled = DescriptorSet()
    _ = polled.add(router)
    _ = polled.add(feed)
    _ = routerMonitor.add(to: &polled)
    _ = feedMonitor.add(to: &polled)
    _ = polled.add(descriptor: wake)
    self.polled = polled
  }

  private static func setLimits(
    _ socket: Socket, _ configuration: ServerConfiguration
  ) throws(ZeroMQError) {
    try socket.setQueueLimits(
      send: configuration.sendQueue, receive: configuration.receiveQueue)
    try socket.setHandshakeLimit(milliseconds: configuration.handshakeMilliseconds)
    try socket.setHeartbeat(everyMilliseconds: 30_000, limitMilliseconds: 60_000)
    try socket.setBacklog(1024)
    try socket.setLinger(milliseconds: 1000)
  }
}

/// Keeps the number of connections below what the process has descriptors for.
final class ConnectionLimiter {
  private let monitors: [ConnectionMonitor]
  private let limit: Int
  private var isClosed = false

  init(monitors: [ConnectionMonitor], limit: Int) {
    self.monitors = monitors
    self.limit = limit
  }

  var connections: Int { monitors.reduce(0) { $0 + $1.connections } }

  /// Counts anew, and closes or opens the door.
  func update() {
    for monitor in monitors { monitor.update() }
    if isClosed { return }
    if connections >= limit {
      for monitor in monitors { monitor.pause() }
    } else if connections < limit - limit / 16 {
      for monitor in monitors { monitor.resume() }
    }
  }

  /// Lets nobody in any more.
  func close() {
    isClosed = true
    for monitor in monitors { monitor.pause() }
  }
}
