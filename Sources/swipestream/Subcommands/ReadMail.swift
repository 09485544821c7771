internal import EventSourcing
internal import FastJSON

/// Prints one mail.
enum ReadMail: Subcommand {
  static let name = "read"
  static let summary = "print one mail as text"
  static let help = """
    usage: swipestream read STREAM MAIL [--json]

    Prints what the mailbox's view holds of a mail, wherever in the mailbox it is: from,
    subject, date, state, labels, thread and the preview of its text.

    \(ClientSession.optionHelp)
    """

  static func run(_ arguments: [String]) async throws(Failure) -> ExitStatus {
    let arguments = try Arguments(arguments, .client(flags: ["--json"]))
    let given = try arguments.exactly("STREAM", "MAIL")
    let stream = try Argument.stream(given[0])
    guard let mail = Int(given[1]), mail > 0 else {
      throw Failure(.usage, "MAIL must be a mail's number, not '\(given[1])'")
    }
    let session = try ClientSession(arguments)
    guard let row = try await find(mail, in: stream, session) else {
      throw Failure(.refused, "\(stream) has no mail \(mail)")
    }
    if arguments.has("--json") { Output.print(row.bytes) } else { print(row) }
    return .done
  }

  private static func find(
    _ mail: Int, in stream: StreamID, _ session: ClientSession
  ) async throws(Failure) -> JSON? {
    var cursor: JSON?
    repeat {
      var members: [JSON.Member] = [
        .init("view", "mailbox"), .init("stream", .string(stream.description)),
        .init("in", "all"), .init("limit", 1000),
      ]
      if let cursor { members.append(.init("cursor", cursor)) }
      let page = try await session.request("query", members)
      if let row = page["rows"]?.array?.first(where: { $0["mail"]?.integer == mail }) {
        return row
      }
      cursor = page.nextCursor
    } while cursor != nil
    return nil
  }

  private static func print(_ row: JSON) {
    var state = [row["read"]?.bool == true ? "read" : "unread"]
    if row["flag"]?.bool == true { state.append("flagged") }
    if row["pinned"]?.bool == true { state.append("pinned") }
    if row["muted"]?.bool == true { state.append("in a muted thread") }
    switch row["in"]?.string {
    case "trash": state.append("in the trash")
    case "archive": state.append("archived")
    case "snoozed": state.append("snoozed until \(row["until"]?.string ?? "later")")
    default: break
    }
    let labels = row["labels"]?.array?.compactMap(\.string) ?? []
    line("From", row["from"]?.string ?? "")
    line("Subject", row["subject"]?.string ?? "")
    line("Date", row["date"]?.string ?? "unknown")
    line("State", state.joined(separator: ", "))
    if !labels.isEmpty { line("Labels", labels.joined(separator: ", ")) }
    line("Thread", row["thread"]?.integer.map(String.init) ?? "")
    Output.print("")
    Output.print(TerminalText.clean(row["message"]?.string ?? ""))
  }

  private static func line(_ name: String, _ value: String) {
    Output.print(TerminalText.column(name + ":", width: 9) + TerminalText.clean(value))
  }
}
