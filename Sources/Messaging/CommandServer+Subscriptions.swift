internal import EventSourcing
internal import FastJSON
internal import Wire
internal import ZeroMQSockets

extension CommandServer {
  func subscribe(
    _ request: SubscribeRequest, id: String, peer: PeerAddress
  ) throws(ServiceError) {
    guard !peer.hasDelimiter else {
      throw ServiceError(.invalid, "a REQ socket cannot subscribe; use DEALER")
    }
    guard subscribers.count < configuration.subscriptionLimit else {
      throw ServiceError(.overloaded, "there are too many subscriptions")
    }
    let log = store.logID.description
    if let wanted = request.log, wanted != log {
      throw ServiceError(.conflict, "this is log \(log), not the one asked for; start over")
    }
    let head = store.head
    let from = try Self.start(of: request, head: head)
    let subscription = "s\(nextSubscription)"
    nextSubscription += 1
    subscribers[subscription] = peer
    if request.wantsPreviews { previewers[subscription] = request.filter }
    // The reply goes out before the pump can give a first message to send.
    reply(id: id, to: peer) { writer in
      writer.key("sub")
      writer.value(subscription)
      writer.key("head")
      writer.value(head.rawValue)
      writer.key("log")
      writer.value(log)
    }
    pump.give(
      .subscribe(
        id: subscription, peer: peer, filter: request.filter, from: from, credit: request.credit))
  }

  private static func start(
    of request: SubscribeRequest, head: GlobalPosition
  ) throws(ServiceError) -> GlobalPosition {
    switch request.from {
    case .end: return head
    case .position(let position):
      guard position <= head else {
        throw ServiceError(
          .conflict, "position \(position) is beyond the log's head \(head); is it another log?")
      }
      return position
    }
  }

  func checkOwner(of subscription: String, _ peer: PeerAddress) throws(ServiceError) {
    guard subscribers[subscription] == peer else {
      throw ServiceError(.notFound, "there is no such subscription of yours")
    }
  }

  func end(_ subscription: String) {
    subscribers[subscription] = nil
    previewers[subscription] = nil
    voidGenerations[subscription] = nil
    pump.give(.remove(id: subscription))
  }

  // MARK: The feed

  /// XPUB tells of each topic prefix that gets its first, or loses its last, subscriber.
  func takeFeedSubscriptions() {
    hasFed = false
    guard let feed else { return }
    while let message = feed.receiveMessage() {
      switch message.first?.first {
      case 1: feedListeners += 1
      case 0: feedListeners = max(0, feedListeners - 1)
      default: break
      }
      pump.setFeedListeners(feedListeners > 0)
    }
  }
}
