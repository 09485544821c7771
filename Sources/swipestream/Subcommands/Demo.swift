internal import EventSourcing
internal import FastJSON
internal import SwipestreamClient

/// Fills a running service with the sample mailbox and lists.
enum Demo: Subcommand {
  static let name = "demo"
  static let summary = "fill a running service with sample mails and lists"
  static let help = """
    usage: swipestream demo

    Loads mailbox/inbox (eleven mails), list/todo, list/cities and list/teams. Loaded
    again, nothing more is added and nothing that was done since is undone.

    \(ClientSession.optionHelp)
    """

  static func run(_ arguments: [String]) async throws(Failure) -> ExitStatus {
    let arguments = try Arguments(arguments, .client())
    _ = try arguments.exactly()
    let session = try ClientSession(arguments)
    var written = 0
    // One after another: positions in the documentation rest on this order.
    for command in SampleData.commands {
      let receipt = try await send(command, session)
      if receipt["duplicate"]?.bool != true { written += 1 }
    }
    let known = SampleData.commands.count - written
    Output.print("sample data: \(written) commands carried out, \(known) known already")
    return .done
  }

  private static func send(
    _ command: JSON, _ session: ClientSession
  ) async throws(Failure) -> JSON {
    let id = command["id"]?.string ?? ""
    do throws(ClientError) {
      let receipt = try await session.client.request(command.bytes, id: id)
      guard let json = try? JSON(parsing: receipt) else { return .null }
      if json["ok"]?.bool == true { return json }
      throw ClientError.refused(ServiceError(reply: json["error"] ?? .null))
    } catch {
      // A list that somebody has created in the meantime keeps what it has.
      throw Failure(error)
    }
  }
}
