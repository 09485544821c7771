internal import FastJSON

/// Builds views anew.
enum Rebuild: Subcommand {
  static let name = "rebuild"
  static let summary = "build the views, or one of them, anew from the log, while serving"
  static let help = """
    usage: swipestream rebuild [VIEW]

    Builds the view (all views without VIEW) from the log's start. The old one answers
    until the new one takes its place; the command returns after that.

    \(ClientSession.optionHelp)
    """

  /// A log of any size may be behind it.
  static let waitMilliseconds = 24 * 3600 * 1000

  static func run(_ arguments: [String]) async throws(Failure) -> ExitStatus {
    let arguments = try Arguments(arguments, .client())
    guard arguments.positional.count <= 1 else {
      throw Failure(.usage, "one VIEW at most; --help shows the usage")
    }
    let session = try ClientSession(arguments)
    // So that an absent service is noticed at once, not after a day.
    _ = try await session.request("ping")
    let members = arguments.positional.map { JSON.Member("view", .string($0)) }
    _ = try await session.request(
      "rebuild", members, timeoutMilliseconds: waitMilliseconds)
    Output.print("rebuilt \(arguments.positional.first ?? "all views")")
    return .done
  }
}
