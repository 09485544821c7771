internal import FastJSON
internal import SwipestreamClient

/// Asks a view.
enum Query: Subcommand {
  static let name = "query"
  static let summary = "ask a view for a page of rows"
  static let help = """
    usage: swipestream query VIEW [KEY=VALUE …] [--at-least P] [--json]

    VIEW is mailbox, list or agenda (what is due in a mailbox, and when); all take
    stream=NAME, limit=N (100) and cursor=C (from the page before). mailbox takes in=BOX
    (inbox, archive, snoozed, trash or all; inbox where it is left out), label=L and
    thread=N.

      --at-least P    wait until the view has come to this position
      --json          the page as one JSON object
    \(ClientSession.optionHelp)

    example:
      swipestream query mailbox stream=mailbox/inbox limit=3 --json
      swipestream query mailbox stream=mailbox/inbox in=all label=work
    """

  private static let parameterNames: Set = [
    "stream", "limit", "cursor", "in", "label", "thread",
  ]

  static func run(_ arguments: [String]) async throws(Failure) -> ExitStatus {
    let arguments = try Arguments(arguments, .client(flags: ["--json"], values: ["--at-least"]))
    guard let view = arguments.positional.first else {
      throw Failure(.usage, "missing VIEW; --help shows the usage")
    }
    let parameters = try KeyValue.object(arguments.positional.dropFirst())
    for member in parameters.members ?? [] where !parameterNames.contains(member.key) {
      throw Failure(.usage, "a view takes no '\(member.key)'; --help shows what it takes")
    }
    let session = try ClientSession(arguments)
    var members = [JSON.Member("view", .string(view))] + (parameters.members ?? [])
    if let position = try arguments.integer("--at-least", in: 0...Int.max) {
      members.append(.init("atLeast", .integer(position)))
      members.append(.init("timeout", .integer(min(session.client.timeoutMilliseconds, 60_000))))
    }
    let page = try await session.request(
      "query", members, timeoutMilliseconds: session.client.timeoutMilliseconds + 1000)
    if arguments.has("--json") {
      Output.print(JSON.object(page.answerMembers).bytes)
    } else {
      ViewText.print(page)
    }
    return .done
  }
}
