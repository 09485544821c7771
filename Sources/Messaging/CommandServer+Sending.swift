internal import ActorRuntime
internal import EventSourcing
internal import FastJSON
internal import Wire
internal import ZeroMQSockets

/// What the server has counted since it started.
struct ServerCounters {
  var requests = 0
  /// Messages to peers that are gone.
  var unroutable = 0
  /// Messages that a peer's queue had no room for.
  var refused = 0
}

extension CommandServer {
  /// Smaller messages are bounded well enough by their number.
  private static let meteredBytes = 4096

  func send(_ answer: CommandAnswer) {
    guard answer.token >= 0 else {
      return serviceSlots.settle(answer.token, answer.result.map { CommandReceipt($0) })
    }
    let peer = slots.take(answer.token)
    writer.removeAll()
    switch answer.result {
    case .success(let receipt): Reply.receipt(receipt, id: answer.id, to: &writer)
    case .failure(let error):
      Reply.error(error, id: String(decoding: answer.id, as: UTF8.self), to: &writer)
    }
    sendWritten(to: peer)
  }

  func send(_ error: ServiceError, id: String?, to peer: PeerAddress) {
    writer.removeAll()
    Reply.error(error, id: id, to: &writer)
    sendWritten(to: peer)
  }

  func reply(id: String, to peer: PeerAddress, _ body: (inout JSONWriter) -> Void) {
    writer.removeAll()
    Reply.ok(id: id, to: &writer, body)
    sendWritten(to: peer)
  }

  func sendWritten(to peer: PeerAddress) {
    count(writer.withBytes { transmit($0, to: peer) })
  }

  func send(_ content: [UInt8], to peer: PeerAddress) {
    count(content.withUnsafeBytes { transmit($0, to: peer) })
  }

  private func count(_ result: Socket.SendResult) {
    switch result {
    case .sent: break
    case .full: counters.refused += 1
    case .unroutable: counters.unroutable += 1
    }
  }

  /// - Parameter owner: keeps the content where it is; nil for content that is copied.
  private func transmit(
    _ content: UnsafeRawBufferPointer, of owner: MessageBytes? = nil, to peer: PeerAddress
  ) -> Socket.SendResult {
    guard let router else { return .unroutable }
    let isLarge = content.count > Self.meteredBytes
    let meter = isLarge ? outputMeters.meter(of: peer, for: content.count) : nil
    if isLarge, meter == nil { return .full }
    let result = peer.withIdentity { router.send($0, hasMore: true) }
    guard result == .sent else { return result }
    // Once the routing id is taken, ROUTER takes the message's other frames too.
    if peer.hasDelimiter { _ = router.send([], hasMore: true) }
    if let meter, let owner { return router.send(content, keptBy: owner, meter: meter) }
    if let meter { return router.send(content, meter: meter) }
    return router.send(content)
  }

  /// Sends what other threads have given.
  ///
  /// - Returns: whether there was anything.
  func sendOutbound() -> Bool {
    let messages = outbound.takeAll()
    for message in messages {
      switch message {
      case .subscription(let frame): send(frame)
      case .feed(let batch): send(feed: batch)
      case .ended(let subscription): end(subscription)
      }
    }
    return !messages.isEmpty
  }

  private func send(_ frame: SubscriptionFrame) {
    defer { pump.settled(bytes: frame.content.count) }
    // Of a subscription that is over, or of before it went back.
    guard subscribers[frame.subscription] != nil,
      frame.generation >= voidGenerations[frame.subscription, default: 0]
    else { return }
    let content = frame.content
    switch content.withBytes({ transmit($0, of: content, to: frame.peer) }) {
    case .sent: voidGenerations[frame.subscription] = nil
    case .full:
      counters.refused += 1
      voidGenerations[frame.subscription] = frame.generation + 1
      pump.give(.rewind(frame))
    case .unroutable:
      counters.unroutable += 1
      voidGenerations[frame.subscription] = nil
      end(frame.subscription)
    }
  }

  private func send(feed batch: FeedBatch) {
    pump.settled(bytes: batch.bytes.count)
    guard let feed else { return }
    hasFed = true
    for message in batch.messages {
      batch.withMessage(message) { topic, content in
        if feed.send(topic, hasMore: true) == .sent { _ = feed.send(content) }
      }
    }
  }

  // MARK: Status

  func writeStatus(to writer: inout JSONWriter) {
    let statistics = store.statistics
    writer.key("version")
    writer.value(configuration.version)
    writer.key("head")
    writer.value(store.head.rawValue)
    writer.key("log")
    writer.value(store.logID.description)
    writer.key("readOnly")
    writer.value(statistics.readOnlyReason != nil)
    writer.key("readOnlyReason")
    writer.value(statistics.readOnlyReason)
    writer.key("recovery")
    writer.value(statistics.recoveryNote)
    writer.key("segments")
    writer.value(statistics.segments)
    writer.key("bytes")
    writer.value(statistics.bytes)
    if let scrub = statistics.scrub { write(scrub, to: &writer) }
    writer.key("views")
    writer.beginArray()
    for view in views.standings { write(view, to: &writer) }
    writer.endArray()
    if let eraser { write(eraser.status, to: &writer) }
    if let processes { write(processes.status, to: &writer) }
    writer.key("clients")
    writer.value(connections?.connections ?? 0)
    writer.key("subscriptions")
    writer.value(subscribers.count)
    writer.key("pending")
    writer.value(registry.unansweredCommands)
    writer.key("aggregates")
    writer.value(registry.residentAggregates)
    writer.key("aggregateBytes")
    writer.value(registry.residentBytes)
    writer.key("remembered")
    writer.value(statistics.rememberedCommands)
    if let counts = registry.snapshotCounts { write(counts, to: &writer) }
    writer.key("requests")
    writer.value(counters.requests)
    writer.key("dropped")
    writer.beginObject()
    writer.key("unroutable")
    writer.value(counters.unroutable)
    writer.key("refused")
    writer.value(counters.refused)
    writer.endObject()
  }

  private func write(_ counts: SnapshotCounts, to writer: inout JSONWriter) {
    writer.key("snapshots")
    writer.beginObject()
    writer.key("written")
    writer.value(counts.written)
    writer.key("failed")
    writer.value(counts.failed)
    writer.endObject()
    writer.key("snapshotFailure")
    writer.value(counts.lastFailure)
  }

  private func write(_ scrub: ScrubStatus, to writer: inout JSONWriter) {
    writer.key("scrub")
    writer.beginObject()
    writer.key("state")
    writer.value(scrub.state.rawValue)
    writer.key("passes")
    writer.value(scrub.passes)
    writer.key("position")
    writer.value(scrub.position.rawValue)
    writer.key("lastCompleted")
    writer.value(scrub.lastCompleted?.description)
    writer.key("damage")
    writer.beginArray()
    // As many as fit into a reply beside everything else.
    for damage in scrub.damage.prefix(100) { write(damage, to: &writer) }
    writer.endArray()
    writer.endObject()
  }

  private func write(_ damage: ScrubStatus.Damage, to writer: inout JSONWriter) {
    writer.beginObject()
    writer.key("file")
    writer.value(damage.file)
    writer.key("offset")
    writer.value(damage.offset)
    writer.key("positions")
    if let positions = damage.positions {
      writer.beginObject()
      writer.key("first")
      writer.value(positions.lowerBound)
      writer.key("last")
      writer.value(positions.upperBound)
      writer.endObject()
    } else {
      writer.null()
    }
    writer.key("reason")
    writer.value(damage.reason)
    writer.endObject()
  }

  private func write(_ erasures: ErasureStatus, to writer: inout JSONWriter) {
    writer.key("erasures")
    writer.beginObject()
    writer.key("position")
    writer.value(erasures.position.rawValue)
    writer.key("pending")
    writer.value(erasures.pending)
    writer.key("completed")
    writer.value(erasures.completed)
    writer.key("error")
    writer.value(erasures.error)
    writer.endObject()
  }

  private func write(_ processes: ProcessStatus, to writer: inout JSONWriter) {
    writer.key("processes")
    writer.beginObject()
    writer.key("state")
    writer.value(processes.state.rawValue)
    writer.key("inFlight")
    writer.value(processes.inFlight)
    writer.key("done")
    writer.value(processes.done)
    writer.key("postponed")
    writer.value(processes.postponed)
    writer.key("next")
    writer.value(processes.next?.description)
    writer.key("lastFailure")
    writer.value(processes.lastFailure)
    writer.endObject()
  }

  private func write(_ view: ViewStanding, to writer: inout JSONWriter) {
    writer.beginObject()
    writer.key("name")
    writer.value(view.name)
    writer.key("version")
    writer.value(Int(view.version))
    writer.key("position")
    writer.value(view.position.rawValue)
    writer.key("state")
    writer.value(view.state)
    writer.key("parked")
    writer.value(view.parked)
    writer.key("reason")
    writer.value(view.reason)
    writer.endObject()
  }
}
