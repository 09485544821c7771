/// One thing that the executable does.
protocol Subcommand {
  static var name: String { get }
  /// One line for the list of subcommands.
  static var summary: String { get }
  /// What `--help` prints: usage, options, examples.
  static var help: String { get }
  /// What `--help` prints among these arguments.
  static func help(for arguments: [String]) -> String

  static func run(_ arguments: [String]) async throws(Failure) -> ExitStatus
}

extension Subcommand {
  static func help(for arguments: [String]) -> String { help }
}

/// How the process ends.
enum ExitStatus: Int32 {
  case done = 0
  /// Refused by the service, or failed.
  case refused = 1
  /// The command line makes no sense.
  case usage = 2
  /// No service answered.
  case noService = 3
}

/// What ends a subcommand early, for people.
struct Failure: Error {
  let status: ExitStatus
  let message: String

  init(_ status: ExitStatus, _ message: String) {
    self.status = status
    self.message = message
  }
}
