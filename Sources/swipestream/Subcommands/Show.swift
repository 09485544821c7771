internal import EventSourcing
internal import FastJSON
internal import SwipestreamClient

/// Shows a mailbox or a list, now or as it was.
enum Show: Subcommand {
  static let name = "show"
  static let summary = "show a mailbox or a list, now or as it was"
  static let help = """
    usage: swipestream show STREAM [--at POSITION|TIME] [--in BOX] [--label L] [--thread N]
                            [--limit N] [--json]

    Shows a stream's view, with everything in it that was durable when the command began.
    ● unread   ⚑ flagged   ◉ both   ▲ pinned

      --at P|TIME     as it was at a position, or at an RFC 3339 time (inclusive)
      --in BOX        of a mailbox: archive, snoozed, trash or all instead of the inbox
      --trash         the same as --in trash
      --label L       only mails with this label
      --thread N      only mails of this thread
      --limit N       at most so many rows
      --json          the view as one JSON object
    \(ClientSession.optionHelp)

    examples:
      swipestream show mailbox/inbox
      swipestream show mailbox/inbox --at 11
    """

  static func run(_ arguments: [String]) async throws(Failure) -> ExitStatus {
    let arguments = try Arguments(
      arguments,
      .client(
        flags: ["--json", "--trash"], values: ["--at", "--limit", "--in", "--label", "--thread"]))
    let stream = try Argument.stream(try arguments.exactly("STREAM")[0])
    let filter = try filter(arguments)
    guard filter.isEmpty || stream.category == .mailbox else {
      throw Failure(.usage, "--in, --label and --thread are for mailboxes; \(stream) is none")
    }
    let session = try ClientSession(arguments)
    let limit = try arguments.integer("--limit", in: 1...Int.max) ?? .max
    var members = [JSON.Member("stream", .string(stream.description))] + filter
    let pages: ViewPages
    if let at = try arguments.one("--at") {
      members.append(.init("at", try Argument.instant(at, "--at")))
      pages = ViewPages(session: session, op: "state", members: members)
    } else {
      guard stream.category != .system else {
        throw Failure(.usage, "system streams have no view; `replay --stream \(stream)` reads them")
      }
      members.append(.init("view", .string(stream.category.description)))
      members.append(.init("atLeast", try await head(session)))
      pages = ViewPages(session: session, op: "query", members: members)
    }
    let view = try await pages.all(limit: limit)
    if arguments.has("--json") {
      Output.print(view.bytes)
    } else {
      ViewText.print(view)
    }
    return .done
  }

  private static func filter(_ arguments: Arguments) throws(Failure) -> [JSON.Member] {
    var members: [JSON.Member] = []
    if let box = try arguments.one("--in") ?? (arguments.has("--trash") ? "trash" : nil) {
      members.append(.init("in", .string(box)))
    }
    if let label = try arguments.one("--label") { members.append(.init("label", .string(label))) }
    if let thread = try arguments.integer("--thread", in: 1...Int.max) {
      members.append(.init("thread", .integer(thread)))
    }
    return members
  }

  private static func head(_ session: ClientSession) async throws(Failure) -> JSON {
    try await session.request("status")["head"] ?? 0
  }
}

/// A view fetched page by page and put together again.
struct ViewPages {
  let session: ClientSession
  let op: String
  let members: [JSON.Member]
  /// How long to wait for a page; nil is what the command line says.
  var timeoutMilliseconds: Int?

  /// The view with at most `limit` rows, as one object without the reply's frame.
  func all(limit: Int) async throws(Failure) -> JSON {
    var rest = limit
    var whole: JSON?
    var cursor: JSON?
    repeat {
      let size = min(rest, 1000)
      var request = members + [.init("limit", .integer(size))]
      if let cursor { request.append(.init("cursor", cursor)) }
      let page = try await session.request(
        op, request, timeoutMilliseconds: timeoutMilliseconds)
      whole = whole.map { Self.join($0, page) } ?? page
      rest -= Self.rowCount(page)
      cursor = page.nextCursor
    } while cursor != nil && rest > 0
    return Self.withoutFrame(whole ?? .null, cursor: cursor)
  }

  private static func rowCount(_ page: JSON) -> Int {
    if let rows = page["rows"]?.array { return rows.count }
    return (page["sections"]?.array ?? []).reduce(0) { $0 + ($1["items"]?.array?.count ?? 0) }
  }

  private static func join(_ whole: JSON, _ page: JSON) -> JSON {
    guard let members = whole.members else { return page }
    return .object(
      members.map { member in
        switch member.key {
        case "rows":
          return .init("rows", .array((member.value.array ?? []) + (page["rows"]?.array ?? [])))
        case "sections":
          return .init(
            "sections",
            .array(joinSections(member.value.array ?? [], page["sections"]?.array ?? [])))
        default: return member
        }
      })
  }

  /// A section that the pages' border cuts comes in both.
  private static func joinSections(_ whole: [JSON], _ page: [JSON]) -> [JSON] {
    guard let last = whole.last, let first = page.first, last["section"] == first["section"] else {
      return whole + page
    }
    let items = (last["items"]?.array ?? []) + (first["items"]?.array ?? [])
    let joined = JSON.object(
      (last.members ?? []).map { $0.key == "items" ? .init("items", .array(items)) : $0 })
    return whole.dropLast() + [joined] + page.dropFirst()
  }

  private static func withoutFrame(_ view: JSON, cursor: JSON?) -> JSON {
    .object(
      view.answerMembers.map { $0.key == "cursor" ? .init("cursor", cursor ?? .null) : $0 })
  }
}
