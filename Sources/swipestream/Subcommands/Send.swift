internal import EventSourcing
internal import FastJSON
internal import SwipestreamClient

/// Sends one command, or many from a file.
enum Send: Subcommand {
  static let name = "send"
  static let summary = "send one command, or a file of them, and print the receipts"
  static let help = """
    usage: swipestream send STREAM COMMAND [KEY=VALUE …] [--id ID] [--expect N] [--by NAME]
           swipestream send --file FILE|-

    Sends a command and prints its receipt, one JSON object. Integers, true, false and
    JSON literals are sent as such, everything else as text; text='"5"' forces text.

      --id ID         the command's id; sent again with the same id it is done once
      --expect N      the revision that the stream must have
      --by NAME       who asks, kept with the events
      --file FILE     NDJSON of commands ("-" reads standard input), pipelined; op and id
                      may be left out; receipts come in input order
    \(ClientSession.optionHelp)

    mailbox commands: deliver, mark-read, mark-unread, flag, unflag, trash, restore, purge,
    reorder, swipe, press, configure-swipe
    list commands: create, add, edit, complete, reopen, delete, restore, purge, reorder,
    swipe, press, configure-swipe
    Their data is described in Sources/Wire/Wire.docc.

    Exit status: 0 done, 1 refused (with --file: if any was), 2 usage, 3 no answer.

    examples:
      swipestream send mailbox/inbox flag mail=3
      swipestream send mailbox/inbox swipe mail=1 direction=left-to-right extent=2.5
      swipestream send list/todo add text="Water the plants"
    """

  static func run(_ arguments: [String]) async throws(Failure) -> ExitStatus {
    let arguments = try Arguments(
      arguments, .client(values: ["--id", "--expect", "--by", "--file"]))
    let session = try ClientSession(arguments)
    if let file = try arguments.one("--file") {
      guard arguments.positional.isEmpty else {
        throw Failure(.usage, "--file stands instead of STREAM and COMMAND")
      }
      return try SendFile(session, path: file).run()
    }
    guard arguments.positional.count >= 2 else {
      throw Failure(.usage, "missing STREAM and COMMAND; --help shows the usage")
    }
    let id = try arguments.one("--id") ?? session.client.newID()
    let content = try request(arguments, id: id)
    do throws(ClientError) {
      let receipt = try await session.client.request(content, id: id)
      Output.print(receipt)
      return (try? JSON(parsing: receipt))?["ok"]?.bool == true ? .done : .refused
    } catch {
      throw Failure(error)
    }
  }

  /// The stream's name is checked by the service, so that its refusal is a receipt too.
  private static func request(_ arguments: Arguments, id: String) throws(Failure) -> [UInt8] {
    var members: [JSON.Member] = [
      .init("op", "command"), .init("id", .string(id)),
      .init("stream", .string(arguments.positional[0])),
      .init("command", .string(arguments.positional[1])),
      .init("data", try KeyValue.object(arguments.positional.dropFirst(2))),
    ]
    if let expected = try arguments.integer("--expect", in: 0...Int.max) {
      members.append(.init("expect", .integer(expected)))
    }
    if let by = try arguments.one("--by") {
      members.append(.init("meta", .object([.init("by", .string(by))])))
    }
    return JSON.object(members).bytes
  }
}
