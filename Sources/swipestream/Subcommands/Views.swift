internal import EventSourcing
internal import FastJSON
internal import SwipestreamClient

/// Lists the views, checks them against the log, and tries parked events again.
enum Views: Subcommand {
  static let name = "views"
  static let summary = "list the views, audit them against the log, retry parked events"
  static let help = """
    usage: swipestream views list
           swipestream views audit [STREAM…]
           swipestream views retry [VIEW]

      list    each view's version, position and state
      audit   compares what the views say of each stream (of all streams without STREAM)
              with a replay of its events; exit status 1 where they differ
      retry   takes in parked events again, by building the view anew

    \(ClientSession.optionHelp)
    """

  static func run(_ arguments: [String]) async throws(Failure) -> ExitStatus {
    let arguments = try Arguments(arguments, .client())
    let rest = arguments.positional.dropFirst()
    switch arguments.positional.first {
    case "list":
      guard rest.isEmpty else { throw Failure(.usage, "`views list` takes no arguments") }
      return try await list(try ClientSession(arguments))
    case "audit":
      let streams = try rest.map { text throws(Failure) in try Argument.stream(text) }
      return try await ViewAudit(session: try ClientSession(arguments)).run(streams)
    case "retry":
      guard rest.count <= 1 else { throw Failure(.usage, "`views retry` takes one VIEW at most") }
      return try await retry(rest.first, try ClientSession(arguments))
    default: throw Failure(.usage, "say list, audit or retry; --help shows the usage")
    }
  }

  private static func standings(_ session: ClientSession) async throws(Failure) -> [JSON] {
    try await session.request("status")["views"]?.array ?? []
  }

  private static func list(_ session: ClientSession) async throws(Failure) -> ExitStatus {
    for view in try await standings(session) {
      Output.print(
        TerminalText.column(view["name"]?.string ?? "", width: 12)
          + "version \(view["version"]?.integer ?? 0), position \(view["position"]?.integer ?? 0), "
          + "\(view["state"]?.string ?? ""), \(view["parked"]?.integer ?? 0) parked")
    }
    return .done
  }

  private static func retry(
    _ name: String?, _ session: ClientSession
  ) async throws(Failure) -> ExitStatus {
    let parked = try await standings(session).filter {
      ($0["parked"]?.integer ?? 0) > 0 && (name == nil || $0["name"]?.string == name)
    }
    for view in parked {
      guard let name = view["name"]?.string else { continue }
      _ = try await session.request(
        "rebuild", [.init("view", .string(name))], timeoutMilliseconds: Rebuild.waitMilliseconds)
    }
    let left = try await standings(session).reduce(0) { $0 + ($1["parked"]?.integer ?? 0) }
    Output.print("\(parked.count) views built anew, \(left) events parked now")
    return left == 0 ? .done : .refused
  }
}

/// Compares views with a replay, stream by stream, both at the position that the view is at.
struct ViewAudit {
  let session: ClientSession

  func run(_ given: [StreamID]) async throws(Failure) -> ExitStatus {
    let streams = given.isEmpty ? try await allStreams() : given
    var differing = 0
    for stream in streams where stream.category != .system {
      guard let difference = try await difference(stream) else { continue }
      differing += 1
      Output.print("\(stream): \(difference)")
    }
    Output.print("\(streams.count) streams audited, \(differing) differ")
    return differing == 0 ? .done : .refused
  }

  private func allStreams() async throws(Failure) -> [StreamID] {
    var streams: Set<StreamID> = []
    do {
      for try await element in session.client.events(after: .start) {
        guard case .events(let events) = element else { break }
        for event in events {
          if let stream = try? StreamID(event.stream) { streams.insert(stream) }
        }
      }
    } catch let error as ClientError {
      throw Failure(error)
    } catch {
      throw Failure(.refused, "\(error)")
    }
    return streams.sorted { $0.description < $1.description }
  }

  /// What is wrong with a stream's view, nil where nothing is. A view that moves on between two
  /// pages is asked again.
  private func difference(_ stream: StreamID) async throws(Failure) -> String? {
    for _ in 0..<5 {
      let head = try await session.request("status")["head"] ?? 0
      do throws(Failure) {
        if try await isEqual(stream, head) { return nil }
      } catch {
        // A parked stream, or a damaged range: the other streams are audited all the same.
        guard error.status == .refused else { throw error }
        return error.message
      }
      if try await session.request("status")["head"] == head { break }
    }
    return "the view differs from a replay of its events"
  }

  /// The inbox is not all of a mailbox's view, and the agenda is another view of it.
  private func isEqual(
    _ stream: StreamID, _ head: JSON
  ) async throws(Failure) -> Bool {
    let isMailbox = stream.category == .mailbox
    var places: [[(String, JSON)]] = isMailbox ? [[], [("in", "all")]] : [[]]
    places = places.map { [("view", .string(stream.category.description))] + $0 }
    if isMailbox { places.append([("view", "agenda")]) }
    for place in places {
      let view = try await pages("query", stream, place + [("atLeast", head)])
      let state = try await pages("state", stream, place + [("at", view["position"] ?? head)])
      if view != state { return false }
    }
    return true
  }

  private func pages(
    _ op: String, _ stream: StreamID, _ more: [(String, JSON)]
  ) async throws(Failure) -> JSON {
    var members: [JSON.Member] =
      [.init("stream", .string(stream.description))] + more.map { .init($0.0, $0.1) }
    // A view may have a long way to go, and a state a long history: neither is a difference.
    if op == "query" { members.append(.init("timeout", .integer(Self.viewMilliseconds))) }
    return try await ViewPages(
      session: session, op: op, members: members, timeoutMilliseconds: Self.pageMilliseconds
    ).all(limit: .max)
  }

  private static let viewMilliseconds = 60_000
  private static let pageMilliseconds = 600_000
}
