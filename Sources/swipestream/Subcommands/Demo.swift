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
    var known = 0
    var others: Set<String> = []
    // One after another: positions in the documentation rest on this order.
    for command in SampleData.commands {
      let stream = command["stream"]?.string ?? ""
      if others.contains(stream) { continue }
      guard let receipt = try await send(command, session) else {
        others.insert(stream)
        continue
      }
      if receipt["duplicate"]?.bool == true { known += 1 } else { written += 1 }
    }
    Output.print("sample data: \(written) commands carried out, \(known) known already")
    for stream in others.sorted() { Output.note("\(stream) is somebody's own list: left alone") }
    return .done
  }

  /// The receipt; nil for a list that somebody has created already, which keeps what it has.
  private static func send(
    _ command: JSON, _ session: ClientSession
  ) async throws(Failure) -> JSON? {
    let id = command["id"]?.string ?? ""
    do throws(ClientError) {
      let receipt = try await session.client.request(command.bytes, id: id)
      guard let json = try? JSON(parsing: receipt) else { return JSON.null }
      if json["ok"]?.bool == true { return json }
      let error = ServiceError(reply: json["error"] ?? .null)
      if command["command"]?.string == "create", error.code == .rejected { return nil }
      throw ClientError.refused(error)
    } catch {
      throw Failure(error)
    }
  }
}
