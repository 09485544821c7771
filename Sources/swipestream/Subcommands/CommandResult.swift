internal import EventSourcing
internal import FastJSON

/// Asks what became of a command.
enum CommandResult: Subcommand {
  static let name = "result"
  static let summary = "ask what became of a command, by its id"
  static let help = """
    usage: swipestream result STREAM ID

    Prints one JSON object: whether the command was written (with its receipt, and of a
    move what became of the mails), is pending, or is unknown. What is unknown can be sent
    again with the same id. Ends with 1 where it is not written.

    \(ClientSession.optionHelp)
    """

  static func run(_ arguments: [String]) async throws(Failure) -> ExitStatus {
    let arguments = try Arguments(arguments, .client())
    let names = try arguments.exactly("STREAM", "ID")
    let answer = try await ClientSession(arguments).request(
      "result", [.init("stream", .string(names[0])), .init("command", .string(names[1]))])
    Output.print(JSON.object(answer.answerMembers).bytes)
    return answer["result"]?.string == "written" ? .done : .refused
  }
}
