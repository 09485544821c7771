internal import EventSourcing
internal import FastJSON

/// Prints one mail.
enum ReadMail: Subcommand {
  static let name = "read"
  static let summary = "print one mail as text"
  static let help = """
    usage: swipestream read STREAM MAIL [--json]

    Prints what the mailbox's view holds of a mail, in the trash or not: from, subject,
    date, state and the preview of its text.

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
    for isTrash in [false, true] {
      if let row = try await find(mail, in: stream, isTrash: isTrash, session) {
        if arguments.has("--json") { Output.print(row.bytes) } else { print(row, isTrash: isTrash) }
        return .done
      }
    }
    throw Failure(.refused, "\(stream) has no mail \(mail)")
  }

  private static func find(
    _ mail: Int, in stream: StreamID, isTrash: Bool, _ session: ClientSession
  ) async throws(Failure) -> JSON? {
    var cursor: JSON?
    repeat {
      var members: [JSON.Member] = [
        .init("view", "mailbox"), .init("stream", .string(stream.description)),
        .init("limit", 1000),
      ]
      if isTrash { members.append(.init("in", "trash")) }
      if let cursor { members.append(.init("cursor", cursor)) }
      let page = try await session.request("query", members)
      if let row = page["rows"]?.array?.first(where: { $0["mail"]?.integer == mail }) {
        return row
      }
      cursor = page.nextCursor
    } while cursor != nil
    return nil
  }

  private static func print(_ row: JSON, isTrash: Bool) {
    var state = [row["read"]?.bool == true ? "read" : "unread"]
    if row["flag"]?.bool == true { state.append("flagged") }
    if isTrash { state.append("in the trash") }
    line("From", row["from"]?.string ?? "")
    line("Subject", row["subject"]?.string ?? "")
    line("Date", row["date"]?.string ?? "unknown")
    line("State", state.joined(separator: ", "))
    Output.print("")
    Output.print(TerminalText.clean(row["message"]?.string ?? ""))
  }

  private static func line(_ name: String, _ value: String) {
    Output.print(TerminalText.column(name + ":", width: 9) + TerminalText.clean(value))
  }
}
