internal import EventLog
internal import EventSourcing
internal import FastJSON

/// Brings a backup of a log up to date.
enum LogBackupCommand: Subcommand {
  static let name = "backup"
  static let summary = "copy the log, or what is new in it, while it is being served"
  static let help = """
    usage: swipestream log backup [--data DIR] --to BACKUP [--json]

    Makes a backup of the log in DIR, or brings one up to date. It holds all that was durable
    when the command began; a service may go on writing meanwhile. All of the log is read and
    checked; only what the backup does not have is written, and copies are replaced where text
    was erased in the log since, or where they are damaged. A run that fails or is killed
    leaves the backup as it was.

      --data DIR   as for `serve`
      --to BACKUP  a directory: an empty or a new one, or a backup of the same log
      --json       the result as one JSON object
    """

  static func run(_ arguments: [String]) async throws(Failure) -> ExitStatus {
    let arguments = try Arguments(arguments, .init(flags: ["--json"], values: ["--data", "--to"]))
    _ = try arguments.exactly()
    let directory = try DataDirectory.path(arguments)
    guard let target = try arguments.one("--to"), !target.isEmpty else {
      throw Failure(.usage, "--to BACKUP is missing: the directory of the backup")
    }
    guard !ResolvedPath(target).isWithin(ResolvedPath(directory)) else {
      throw Failure(
        .refused, "\(target) is inside \(directory), the data that it would be a backup of")
    }
    let report: LogBackup.Report
    do throws(BackupError) {
      report = try LogBackup(
        of: directory, to: target, knownHeads: DataDirectory.knownHeads(directory)
      ).run()
    } catch {
      throw Failure(.refused, "\(error)")
    }
    if arguments.has("--json") {
      Output.print(json(report).bytes)
    } else {
      Output.print("log       \(report.log), up to position \(report.head)")
      Output.print(
        "segments  \(report.segments): \(report.copied) copied, \(report.extended) extended, "
          + "\(report.replaced) replaced, \(report.unchanged) unchanged")
      Output.print("bytes     \(report.bytes), \(report.written) of them written now")
    }
    return .done
  }

  private static func json(_ report: LogBackup.Report) -> JSON {
    [
      "log": .string(report.log.description), "head": .integer(Int(report.head.rawValue)),
      "headTime": report.headTime.map { .string($0.description) } ?? .null,
      "segments": .integer(report.segments), "copied": .integer(report.copied),
      "extended": .integer(report.extended), "replaced": .integer(report.replaced),
      "unchanged": .integer(report.unchanged), "bytes": .integer(report.bytes),
      "written": .integer(report.written),
    ]
  }
}
