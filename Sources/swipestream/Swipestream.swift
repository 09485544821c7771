internal import Glibc

/// The one executable: `swipestream SUBCOMMAND …`.
@main
enum Swipestream {
  static let version = "0.1.0"

  /// In the order that `help` lists them.
  static var subcommands: [any Subcommand.Type] {
    [
      Serve.self, Send.self, CommandResult.self, Show.self, Tail.self, Replay.self, Query.self,
      Rebuild.self,
      Import.self, Sync.self, ReadMail.self, Views.self, Log.self, Demo.self, Bench.self,
      Status.self,
      Version.self, Help.self,
    ]
  }

  static func main() async {
    // A reader that goes away ends the command quietly, through the write's error.
    signal(SIGPIPE, SIG_IGN)
    let status = await run(Array(CommandLine.arguments.dropFirst()))
    Output.flush()
    // Not `exit`: it would tear down the C++ libraries' globals under threads that still use them.
    _exit(status.rawValue)
  }

  private static func run(_ arguments: [String]) async -> ExitStatus {
    do throws(Failure) {
      guard let name = arguments.first else {
        throw Failure(.usage, "no subcommand given; `swipestream help` lists them")
      }
      if name == "--help" || name == "-h" { return try await Help.run([]) }
      if name == "--version" { return try await Version.run([]) }
      guard let subcommand = subcommands.first(where: { $0.name == name }) else {
        throw Failure(.usage, "there is no subcommand '\(name)'; `swipestream help` lists them")
      }
      let rest = Array(arguments.dropFirst())
      if rest.prefix(while: { $0 != "--" }).contains(where: { $0 == "--help" || $0 == "-h" }) {
        Output.print(subcommand.help(for: rest))
        return .done
      }
      return try await subcommand.run(rest)
    } catch {
      Output.flush()
      Output.complain(error.message)
      return error.status
    }
  }
}
