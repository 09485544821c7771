public import EventSourcing
internal import FastJSON

/// The log from a position on, history first and then live, as an asynchronous sequence.
///
/// Credit is granted as elements are taken, so a slow consumer slows the service's sending and
/// loses nothing. When the connection breaks, or is silent for longer than two heartbeats, it
/// subscribes again behind the last event that was taken; each event comes once and in order.
public struct EventSubscription: AsyncSequence, Sendable {
  /// What a subscription has to tell.
  public enum Element: Sendable {
    /// One or more events, in order.
    case events([Event])
    /// All history up to this position has been given; what follows is new.
    case live(GlobalPosition)
    /// An item of a list is being dragged, or is no more; only where previews were asked for.
    case preview(DragPreview)
    /// Nothing new; the log's head is here.
    case heartbeat(head: GlobalPosition)
  }

  let client: ServiceClient
  let from: GlobalPosition?
  let filter: EventFilter
  let credit: Int
  let wantsPreviews: Bool

  public func makeAsyncIterator() -> Iterator { Iterator(self) }

  public struct Iterator: AsyncIteratorProtocol {
    private let request: EventSubscription
    private var position: GlobalPosition?
    private var log: String?
    private var live: LiveSubscription?
    private var isEnded = false

    fileprivate init(_ request: EventSubscription) {
      self.request = request
      position = request.from
    }

    /// - Throws: ``ClientError`` where the service refuses or ends the subscription.
    public mutating func next() async throws -> Element? {
      while !isEnded {
        if live == nil, try await !subscribeAgain() { continue }
        guard let signal = await live?.next() else {
          // The stream ends with the client, or with the task.
          isEnded = true
          return nil
        }
        switch signal {
        case .disconnected: drop()
        case .message(let content):
          if let element = try await take(content) { return element }
        }
      }
      return nil
    }

    private mutating func drop() {
      live?.cancel(request.client)
      live = nil
    }

    /// Once a subscription has worked, an absent service is waited for, not given up.
    ///
    /// - Returns: whether there is a subscription now.
    private mutating func subscribeAgain() async throws -> Bool {
      do throws(ClientError) {
        try await subscribe()
      } catch .noAnswer where log != nil {
        try Task.checkCancellation()
      }
      return live != nil
    }

    private mutating func subscribe() async throws(ClientError) {
      var members: [JSON.Member] = [
        .init("from", position.map { .integer(Int(clamping: $0.rawValue)) } ?? "end"),
        .init("credit", .integer(request.credit)),
      ]
      if let prefix = request.filter.streamPrefix {
        members.append(.init("stream", .string(prefix)))
      }
      if !request.filter.types.isEmpty {
        let types = request.filter.types.map(\.description).sorted()
        members.append(.init("types", .array(types.map { .string($0) })))
      }
      if let log { members.append(.init("log", .string(log))) }
      if request.wantsPreviews { members.append(.init("previews", true)) }
      let reply = try await request.client.request("subscribe", members)
      guard let id = reply["sub"]?.string, let head = reply["head"]?.position else {
        throw .unexpectedAnswer("it is no subscription")
      }
      log = reply["log"]?.string
      let start = position ?? head
      position = start
      live = LiveSubscription(id: id, from: start, client: request.client)
    }

    private mutating func take(_ content: [UInt8]) async throws(ClientError) -> Element? {
      guard let json = try? JSON(parsing: content) else {
        throw .unexpectedAnswer("a message is not JSON")
      }
      if let list = json["events"]?.array { return try takeEvents(list) }
      if json["live"]?.bool == true, let position = json["position"]?.position {
        return .live(position)
      }
      if let preview = json["preview"] { return .preview(try DragPreview(preview)) }
      if json["heartbeat"]?.bool == true, let head = json["head"]?.position {
        return .heartbeat(head: head)
      }
      if let code = json["ended"]?.string {
        isEnded = true
        throw .refused(
          ServiceError(
            ErrorCode(rawValue: code) ?? .unavailable,
            json["message"]?.string ?? "the service ended the subscription"))
      }
      return nil
    }

    /// A gap in `prev` means that something was lost on the way: begin again behind what is known.
    private mutating func takeEvents(_ list: [JSON]) throws(ClientError) -> Element? {
      var events: [Event] = []
      for json in list {
        let event = try Event(json)
        guard event.previous == live?.lastSent else {
          drop()
          break
        }
        live?.lastSent = event.position
        position = event.position
        events.append(event)
      }
      live?.grant(list.count, request.client)
      return events.isEmpty ? nil : .events(events)
    }
  }
}

/// A subscription that the service knows.
private struct LiveSubscription {
  let id: String
  /// The last event that came, or where the subscription began: what `prev` must be next.
  var lastSent: GlobalPosition
  private var iterator: AsyncStream<SubscriptionSignal>.Iterator

  init(id: String, from start: GlobalPosition, client: ServiceClient) {
    self.id = id
    lastSent = start
    let (stream, continuation) = AsyncStream.makeStream(of: SubscriptionSignal.self)
    iterator = stream.makeAsyncIterator()
    // Also when the consumer leaves its loop or is cancelled; else heartbeats would go on for ever.
    continuation.onTermination = { _ in Self.cancel(id, client) }
    client.connection.submit(.listen(subscription: id, continuation))
  }

  mutating func next() async -> SubscriptionSignal? { await iterator.next() }

  func grant(_ count: Int, _ client: ServiceClient) {
    let requestID = client.newID()
    let message: JSON = [
      "op": "credit", "id": .string(requestID), "sub": .string(id), "add": .integer(count),
    ]
    client.submit(message.bytes, id: requestID) { _ in }
  }

  func cancel(_ client: ServiceClient) { Self.cancel(id, client) }

  private static func cancel(_ id: String, _ client: ServiceClient) {
    client.connection.submit(.ignore(subscription: id))
    let requestID = client.newID()
    let message: JSON = ["op": "unsubscribe", "id": .string(requestID), "sub": .string(id)]
    client.submit(message.bytes, id: requestID) { _ in }
  }
}

extension ServiceClient {
  /// The log behind `from` (nil: only what comes from now on), as far as `filter` lets it through.
  ///
  /// - Parameters:
  ///   - from: the position to go on behind; nil is the log's head at the first element.
  ///   - filter: streams by prefix, and types.
  ///   - credit: events that may be under way at once, 1 to 10,000.
  ///   - previews: whether to show, too, how items are dragged before they are dropped.
  public func events(
    after from: GlobalPosition?, filter: EventFilter = .everything, credit: Int = 5000,
    previews: Bool = false
  ) -> EventSubscription {
    EventSubscription(
      client: self, from: from, filter: filter, credit: credit, wantsPreviews: previews)
  }
}
