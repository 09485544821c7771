internal import EventLog
internal import EventSourcing
internal import FastJSON

/// Makes a data directory from a backup.
enum LogRestoreCommand: Subcommand {
  static let name = "restore"
  static let summary = "make a data directory from a backup, all of it or up to a point"
  static let help = """
    usage: swipestream log restore --from BACKUP [--data DIR] [--to-position P | --to-time T]
                                   [--erasures-from LOG] [--json]

    Restores the log of a backup into DIR, which must be empty or not there. All that is taken
    is checked before, and what was written is checked after. The restored log has a new id.

      --from BACKUP        what `log backup` made
      --data DIR           as for `serve`
      --to-position P      up to this position, inclusive; 0 gives an empty log
      --to-time T          up to this RFC 3339 time, inclusive
      --erasures-from LOG  a later state of the same log, a data directory (served or not) or a
                           newer backup: what was erased there is erased in DIR, too
      --json               the result as one JSON object
    """

  static func run(_ arguments: [String]) async throws(Failure) -> ExitStatus {
    let arguments = try Arguments(
      arguments,
      .init(
        flags: ["--json"],
        values: ["--from", "--data", "--to-position", "--to-time", "--erasures-from"]))
    _ = try arguments.exactly()
    guard let backup = try arguments.one("--from"), !backup.isEmpty else {
      throw Failure(.usage, "--from BACKUP is missing: the directory of the backup")
    }
    let directory = try DataDirectory.path(arguments)
    let stop = try stop(arguments)
    guard !ResolvedPath(directory).isWithin(ResolvedPath(backup)) else {
      throw Failure(.refused, "\(directory) is inside the backup \(backup)")
    }
    let restore = LogRestore(
      from: backup, to: directory, stop: stop, erasuresFrom: try arguments.one("--erasures-from"))
    let report: LogRestore.Report
    do throws(BackupError) {
      report = try restore.run()
    } catch {
      throw Failure(.refused, "\(error)")
    }
    if arguments.has("--json") {
      Output.print(json(report).bytes)
    } else {
      print(report)
    }
    return .done
  }

  private static func stop(_ arguments: Arguments) throws(Failure) -> RestoreStop {
    let position = try arguments.integer("--to-position", in: 0...(.max - 1))
    guard let text = try arguments.one("--to-time") else {
      return position.map { .position(GlobalPosition(UInt64($0))) } ?? .head
    }
    guard position == nil else {
      throw Failure(.usage, "--to-position and --to-time exclude one another")
    }
    guard let time = Timestamp(text) else {
      throw Failure(
        .usage, "--to-time must be a time like 2026-01-02T03:04:05Z, not '\(text)'")
    }
    return .time(time)
  }

  private static func print(_ report: LogRestore.Report) {
    Output.print("log       \(report.log), restored from \(report.source)")
    Output.print(
      "head      \(report.head)" + (report.headTime.map { ", \($0)" } ?? ", no events"))
    Output.print("segments  \(report.segments), \(report.bytes) bytes")
    if report.erased > 0 { Output.print("erased    \(report.erased) events that the backup had") }
  }

  private static func json(_ report: LogRestore.Report) -> JSON {
    [
      "log": .string(report.log.description), "from": .string(report.source.description),
      "head": .integer(Int(report.head.rawValue)),
      "headTime": report.headTime.map { .string($0.description) } ?? .null,
      "segments": .integer(report.segments), "bytes": .integer(report.bytes),
      "erased": .integer(report.erased),
    ]
  }
}
