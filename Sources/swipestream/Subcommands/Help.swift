internal import Glibc
internal import ZeroMQSockets

/// Lists the subcommands, or explains one.
enum Help: Subcommand {
  static let name = "help"
  static let summary = "list the subcommands, or explain one"
  static let help = "usage: swipestream help [SUBCOMMAND]"

  static func run(_ arguments: [String]) async throws(Failure) -> ExitStatus {
    if let name = arguments.first {
      guard let subcommand = Swipestream.subcommands.first(where: { $0.name == name }) else {
        throw Failure(.usage, "there is no subcommand '\(name)'")
      }
      Output.print(subcommand.help(for: Array(arguments.dropFirst())))
      return .done
    }
    Output.print(
      """
      swipestream — event-sourced mail triage and ordered lists

      usage: swipestream SUBCOMMAND [ARGUMENT …]
      """)
    Output.print("")
    for subcommand in Swipestream.subcommands {
      Output.print("  " + TerminalText.column(subcommand.name, width: 10) + subcommand.summary)
    }
    Output.print(
      """

      `swipestream SUBCOMMAND --help` explains one.
      Exit status: 0 done, 1 refused or failed, 2 usage, 3 no service answered.
      """)
    return .done
  }
}

/// Says which version this is.
enum Version: Subcommand {
  static let name = "version"
  static let summary = "print the version"
  static let help = "usage: swipestream version"

  static func run(_ arguments: [String]) async throws(Failure) -> ExitStatus {
    _ = try Arguments(arguments, .init()).exactly()
    Output.print("swipestream \(Swipestream.version) (libzmq \(Context.libraryVersion))")
    return .done
  }
}
