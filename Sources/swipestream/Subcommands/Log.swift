/// Looks after a log: everything that works on a data directory rather than through a service.
enum Log: Subcommand {
  static let name = "log"
  static let summary = "look after a log: verify, stat, repair, backup, restore"

  /// What comes behind `log`, in the order that `help` lists them.
  static var tools: [any Subcommand.Type] {
    [
      LogVerify.self, LogStat.self, LogRepair.self, LogBackupCommand.self, LogRestoreCommand.self,
    ]
  }

  static var help: String {
    "usage: swipestream log TOOL --data DIR …\n\n"
      + tools.map { "  " + TerminalText.column($0.name, width: 10) + $0.summary }
      .joined(separator: "\n")
      + "\n\n`swipestream log TOOL --help` explains one of them."
  }

  static func help(for arguments: [String]) -> String { tool(arguments.first)?.help ?? help }

  static func run(_ arguments: [String]) async throws(Failure) -> ExitStatus {
    guard let name = arguments.first else {
      throw Failure(.usage, "say which tool; `swipestream log --help` lists them")
    }
    guard let tool = tool(name) else {
      throw Failure(.usage, "there is no `log \(name)`; `swipestream log --help` lists the tools")
    }
    return try await tool.run(Array(arguments.dropFirst()))
  }

  private static func tool(_ name: String?) -> (any Subcommand.Type)? {
    tools.first { $0.name == name }
  }
}
