internal import ActorRuntime
internal import EventLog
internal import FastJSON

/// Checks every byte of a log.
enum LogVerify: Subcommand {
  static let name = "verify"
  static let summary = "check every byte of the log; says where it is damaged"
  static let help = """
    usage: swipestream log verify [--data DIR] [--from POSITION] [--json]

    Reads the whole log and says whether it is what was written. It changes nothing, and may
    run while a service has the log open. Exit status 0: all is well; 1: it is damaged, or
    cannot be read.

      --data DIR       as for `serve`
      --from POSITION  only the segments from the one with this position on
      --json           the result as one JSON object
    """

  static func run(_ arguments: [String]) async throws(Failure) -> ExitStatus {
    let arguments = try Arguments(
      arguments, .init(flags: ["--json"], values: ["--data", "--from"]))
    _ = try arguments.exactly()
    let directory = try DataDirectory.path(arguments)
    let from = try arguments.integer("--from", in: 1...Int.max) ?? 1
    let report = try Verification.run(directory, from: UInt64(from))
    if arguments.has("--json") {
      Output.print(VerificationJSON(report: report).bytes)
    } else {
      let text = VerificationText(report: report, directory: directory)
      for line in text.lines { Output.print(line) }
    }
    return report.isFine ? .done : .refused
  }
}

/// A verification with its progress shown.
enum Verification {
  static func run(_ directory: String, from position: UInt64 = 1) throws(Failure) -> LogReport {
    defer { Output.endProgress() }
    let shown = Lock(MonotonicTime.milliseconds)
    let result: LogReport?
    do throws(EventLogError) {
      result = try LogVerifier(
        directory: directory, knownHeads: DataDirectory.knownHeads(directory)
      ).verify(from: position) { progress in
        show(progress, shown)
        return true
      }
    } catch {
      throw Failure(.refused, "\(error)")
    }
    guard let result else { throw Failure(.refused, "the verification was ended") }
    return result
  }

  private static func show(_ progress: LogVerifier.Progress, _ shown: Lock<Int>) {
    let now = MonotonicTime.milliseconds
    let isDue = shown.withLock { shown in
      guard now - shown >= 100 else { return false }
      shown = now
      return true
    }
    guard isDue, progress.total > 0 else { return }
    Output.progress(
      "verifying: \(progress.bytes * 100 / progress.total) % of \(progress.total >> 20) MiB")
  }
}
