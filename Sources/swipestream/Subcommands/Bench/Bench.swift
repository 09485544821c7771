/// Measures the service: a short run over all of it, or one thing.
enum Bench: Subcommand {
  static let name = "bench"
  static let summary = "measure a service of its own, a running one, or a log"

  /// What comes behind `bench`, in the order that `help` lists them.
  static var tools: [any Subcommand.Type] {
    [
      BenchLoad.self, BenchLive.self, BenchTail.self, BenchRebuild.self, BenchReplay.self,
      BenchFill.self,
    ]
  }

  static var help: String {
    """
    usage: swipestream bench [--seconds S] [--json] [--data DIR]
           swipestream bench TOOL …

    Alone, it starts a service of its own on a new directory, measures it, ends it, removes
    the directory, and prints a table. Scripts/bench, in the source, does so beside what bare
    ZeroMQ, bare SQLite and other services give.

      --seconds S   how long each load runs (default 1)
      --json        one JSON object
      --data DIR    a new directory, on the disk to be measured, and kept (default: one below
                    the working directory)

    tools, each of which prints one JSON object with what it measured:

    """
      + tools.map { "  " + TerminalText.column($0.name, width: 10) + $0.summary }
      .joined(separator: "\n")
      + "\n\n`swipestream bench TOOL --help` explains one of them."
  }

  static func help(for arguments: [String]) -> String { tool(arguments.first)?.help ?? help }

  static func run(_ arguments: [String]) async throws(Failure) -> ExitStatus {
    guard let name = arguments.first, !name.hasPrefix("-") else {
      return try await BenchAll.run(arguments)
    }
    guard let tool = tool(name) else {
      throw Failure(
        .usage, "there is no `bench \(name)`; `swipestream bench --help` lists the tools")
    }
    return try await tool.run(Array(arguments.dropFirst()))
  }

  private static func tool(_ name: String?) -> (any Subcommand.Type)? {
    tools.first { $0.name == name }
  }
}
