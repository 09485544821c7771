internal import EventLog

/// Repairs a damaged log as it is told to.
enum LogRepair: Subcommand {
  static let name = "repair"
  static let summary = "say what can be done about damage, and do what is chosen"
  static let help = """
    usage: swipestream log repair [--data DIR] [--cut | --fill | --accept-head]

    Without a choice it says what is damaged and what each choice would come to, and changes
    nothing; exit status 1, or 0 where nothing is damaged. A repair that was interrupted is
    ended instead, whatever is chosen now. All but saying what is damaged needs the log for
    itself: stop the service.

      --cut          the log ends before the damage; all behind is taken out
      --fill         all that can be read stays; lost positions get `log.lost` events
      --accept-head  the log has lost its end, and goes on from where it ends now
      --data DIR     as for `serve`

    What is taken out is kept under DIR/removed. Indexes, snapshots and views are made again
    at the next start. A copy is better than any repair: put it back where you have one.
    """

  static func run(_ arguments: [String]) async throws(Failure) -> ExitStatus {
    let options = RepairChoice.allCases.map { "--" + $0.rawValue }
    let arguments = try Arguments(
      arguments, .init(flags: Set(options), values: ["--data"]))
    _ = try arguments.exactly()
    let chosen = RepairChoice.allCases.filter { arguments.has("--" + $0.rawValue) }
    guard chosen.count <= 1 else {
      throw Failure(.usage, "choose one of \(options.joined(separator: ", "))")
    }
    let directory = try DataDirectory.path(arguments)
    let repairer = LogRepairer(
      directory: directory, knownHeads: DataDirectory.knownHeads(directory))
    do throws(RepairError) {
      if try repairer.isUnfinished { return try finish(repairer, directory) }
      guard let choice = chosen.first else { return try advise(repairer, directory) }
      tell(try repairer.repair(choice), directory)
      return .done
    } catch {
      throw Failure(.refused, "\(error)")
    }
  }

  /// What was decided before is not decided again.
  private static func finish(
    _ repairer: LogRepairer, _ directory: String
  ) throws(RepairError) -> ExitStatus {
    try repairer.finish()
    Output.print("the repair of \(directory) that was interrupted is done now")
    return .done
  }

  private static func advise(
    _ repairer: LogRepairer, _ directory: String
  ) throws(RepairError) -> ExitStatus {
    let advice = try repairer.advice()
    if advice.report.isFine {
      Output.print("the log in \(directory) is not damaged; there is nothing to repair")
      return .done
    }
    for line in VerificationText(report: advice.report, directory: directory).places {
      Output.print(line)
    }
    Output.print("")
    Output.print("nothing was changed. Where you have a copy, put it back. Else choose one of")
    Output.print(
      "  --cut          the log ends with position \(advice.cutHead); "
        + "\(count(advice.removedByCut, "event")) that can be read would be taken out")
    if advice.canFill {
      Output.print(
        "  --fill         everything that can be read stays; "
          + "\(count(advice.lost, "position")) would get `log.lost` events")
    } else {
      Output.print("(not --fill: \(count(advice.lost, "position")) are lost, which is too many)")
    }
    if advice.canAcceptHead {
      Output.print(
        "  --accept-head  the log goes on behind position \(advice.report.head), and positions "
          + "that were seen are given again")
    }
    return .refused
  }

  private static func tell(_ outcome: RepairOutcome, _ directory: String) {
    Output.print("repaired: the log in \(directory) ends with position \(outcome.head)")
    if outcome.lost > 0 { Output.print("lost      \(count(outcome.lost, "position"))") }
    if outcome.removed > 0 { Output.print("taken out \(count(outcome.removed, "event"))") }
    if let kept = outcome.kept { Output.print("kept      \(directory)/\(kept)") }
  }

  private static func count(_ number: Int, _ what: String) -> String {
    "\(number) \(what)\(number == 1 ? "" : "s")"
  }
}
