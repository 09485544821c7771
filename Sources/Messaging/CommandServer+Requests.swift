internal import ActorRuntime
internal import EventSourcing
internal import FastJSON
internal import Wire

extension CommandServer {
  /// Handles one request: commands go to their aggregate, quick answers leave at once, slow ones
  /// are worked out on other threads.
  func handle(_ message: RequestFrames.Message) {
    counters.requests += 1
    guard let content = message.content else {
      let error = ServiceError(.malformed, "a request is one frame with one JSON object")
      return send(error, id: nil, to: message.peer)
    }
    guard content.count <= WireLimits.frameBytes else {
      let error = ServiceError(
        .tooLarge, "a request has at most \(WireLimits.frameBytes) bytes, this had \(content.count)"
      )
      return send(error, id: nil, to: message.peer)
    }
    do throws(JSONSyntaxError) {
      handle(try parser.parse(content), bytes: content.count, from: message.peer)
    } catch {
      send(
        ServiceError(.malformed, "the request is not JSON: \(error)"), id: nil, to: message.peer)
    }
  }

  private func handle(_ value: JSONValue, bytes: Int, from peer: PeerAddress) {
    let members = RequestMembers(value)
    let given = members.id?.text
    guard let op = members.op?.text else {
      let error = ServiceError(
        .malformed, "a request is a JSON object with the string members 'op' and 'id'")
      return send(error, id: Self.echo(given), to: peer)
    }
    guard let given, (1...WireLimits.requestIDBytes).contains(given.utf8.count) else {
      let error = ServiceError(
        .invalid, "'id' must be a string of 1 to \(WireLimits.requestIDBytes) bytes")
      return send(error, id: Self.echo(given), to: peer)
    }
    do throws(ServiceError) {
      if case "command" = op {
        try submit(members, bytes: bytes, from: peer)
      } else {
        try answer(try Request(op: op.string, value), id: given.string, to: peer)
      }
    } catch {
      send(error, id: given.string, to: peer)
    }
  }

  /// An id is given back as long as it could be read and the answer stays small.
  private static func echo(_ id: JSONText?) -> String? {
    guard let id, id.utf8.count <= WireLimits.echoedIDBytes else { return nil }
    return id.string
  }

  private func submit(
    _ members: RequestMembers, bytes: Int, from peer: PeerAddress
  ) throws(ServiceError) {
    guard slots.bytes < configuration.unansweredBytes else {
      throw ServiceError(.overloaded, "too much waits for its answer; send it again")
    }
    let token = slots.add(.init(peer: peer, bytes: bytes))
    do throws(ServiceError) {
      try registry.submit(try IncomingCommand(members, token: token))
    } catch {
      _ = slots.take(token)
      throw error
    }
  }

  private func answer(
    _ request: Request, id: String, to peer: PeerAddress
  ) throws(ServiceError) {
    switch request {
    case .ping: reply(id: id, to: peer) { _ in }
    case .status: reply(id: id, to: peer) { self.writeStatus(to: &$0) }
    case .result(let stream, let command):
      let standing = try standing(of: command, in: stream)
      if case .written(let receipt) = standing, views.hasConsequences(receipt) {
        return try answerSlowly(id, to: peer) { [views] in
          await Self.answer(receipt, id: id, views: views)
        }
      }
      writer.removeAll()
      Reply.standing(standing, id: id, to: &writer)
      sendWritten(to: peer)
    case .subscribe(let request): try subscribe(request, id: id, peer: peer)
    case .credit(let subscription, let count):
      try checkOwner(of: subscription, peer)
      pump.give(.grant(id: subscription, count: count))
      reply(id: id, to: peer) { _ in }
    case .unsubscribe(let subscription):
      try checkOwner(of: subscription, peer)
      end(subscription)
      reply(id: id, to: peer) { _ in }
    case .read, .query, .state, .rebuild:
      try answerSlowly(id, to: peer) { [reader, views] in
        await Self.answer(request, id: id, reader: reader, views: views)
      }
    }
  }

  private func standing(
    of command: CommandID, in stream: StreamID
  ) throws(ServiceError) -> Reply.CommandStanding {
    if registry.isPending(command, in: stream) { return .pending }
    do throws(ReadError) {
      guard let recorded = try store.command(command, in: stream) else { return .unknown }
      return .written(CommandReceipt(recorded, stream: stream, isDuplicate: false))
    } catch {
      throw ServiceError(.unavailable, error.description)
    }
  }

  // MARK: Slow requests

  /// - Parameter answer: works the answer out; not on this actor, so that other requests go on.
  private func answerSlowly(
    _ id: String, to peer: PeerAddress, _ answer: @escaping @Sendable () async -> [UInt8]
  ) throws(ServiceError) {
    guard slowRequests < configuration.slowRequestLimit else {
      throw ServiceError(.overloaded, "too many reads and queries are under way; try again")
    }
    guard slowRequestsOfPeer[peer, default: 0] < configuration.slowRequestLimitOfPeer else {
      throw ServiceError(
        .overloaded, "too many reads and queries of yours are under way; await some")
    }
    slowRequests += 1
    slowRequestsOfPeer[peer, default: 0] += 1
    Task {
      let content = await answer()
      endSlowRequest(of: peer)
      send(content, to: peer)
    }
  }

  private func endSlowRequest(of peer: PeerAddress) {
    slowRequests -= 1
    let rest = slowRequestsOfPeer[peer, default: 1] - 1
    slowRequestsOfPeer[peer] = rest > 0 ? rest : nil
  }

  /// `result` of a command with consequences.
  private nonisolated static func answer(
    _ receipt: CommandReceipt, id: String, views: any ViewProvider
  ) async -> [UInt8] {
    var writer = JSONWriter()
    do throws(ServiceError) {
      let consequences = try await views.consequences(of: receipt)
      Reply.standing(.written(receipt), consequences: consequences, id: id, to: &writer)
    } catch {
      writer.removeAll()
      Reply.error(error, id: id, to: &writer)
    }
    return writer.bytes
  }

  private nonisolated static func answer(
    _ request: Request, id: String, reader: LogReader, views: any ViewProvider
  ) async -> [UInt8] {
    var writer = JSONWriter()
    do throws(ServiceError) {
      switch request {
      case .read(let request): return await reader.read(request, id: id)
      case .query(let request):
        let page = try await views.query(request)
        Reply.ok(id: id, to: &writer) { $0.members(ofObject: page) }
      case .state(let request):
        let page = try await views.state(request)
        Reply.ok(id: id, to: &writer) { $0.members(ofObject: page) }
      case .rebuild(let view):
        try await views.rebuild(view)
        Reply.ok(id: id, to: &writer)
      default: break
      }
    } catch {
      writer.removeAll()
      Reply.error(error, id: id, to: &writer)
    }
    return writer.bytes
  }
}
