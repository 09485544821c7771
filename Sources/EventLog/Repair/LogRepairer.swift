public import ActorRuntime
internal import EventSourcing

/// Repairs a log as told to. Without being told it changes nothing.
public struct LogRepairer: Sendable {
  let directory: LogDirectory
  private let knownHeads: [KnownHead]
  private let clock: any WallClock
  /// No segment that is made anew becomes larger: the format has no room for more.
  var segmentBytes = FileFormat.greatestOffset

  /// - Parameter knownHeads: how far others say that the log goes.
  public init(
    directory: String, storage: any LogStorage = FileStorage(), knownHeads: [KnownHead] = [],
    clock: any WallClock = SystemClock()
  ) {
    self.directory = LogDirectory(storage: storage, root: directory)
    self.knownHeads = knownHeads
    self.clock = clock
  }

  /// Whether a repair was interrupted; ``finish()`` takes it to its end.
  public var isUnfinished: Bool {
    get throws(RepairError) {
      try mappingRepairErrors { () throws(StorageError) in
        try directory.openRepairJournal() != nil
      }
    }
  }

  /// What is damaged, and what each choice would come to. Changes nothing.
  public func advice() throws(RepairError) -> RepairAdvice {
    let survey = try survey()
    let report = survey.report
    let cutHead = survey.cutHead(in: directory)
    let kept = survey.links.reduce(0) { count, link in
      count
        + link.inspection.pieces.reduce(0) { count, piece in
          let positions = piece.positions
          if positions.lowerBound > cutHead { return count + positions.count }
          if positions.upperBound <= cutHead { return count }
          return count + Int(positions.upperBound - cutHead)
        }
    }
    let fill = RepairPlan.fill(survey)
    return RepairAdvice(
      report: report, cutHead: cutHead, removedByCut: kept, lost: fill.lostCount,
      canAcceptHead: report.damages.allSatisfy(\.isLostEnd))
  }

  /// Ends a repair that was interrupted.
  public func finish() throws(RepairError) {
    let lock = try lock()
    defer { lock.release() }
    try finishUnfinished()
  }

  /// Does what was chosen.
  ///
  /// It needs the log for itself. Whatever interrupts it, either nothing was changed, or the rest
  /// is done by the next call or by ``finish()``; until then the log does not start.
  public func repair(_ choice: RepairChoice) throws(RepairError) -> RepairOutcome {
    let lock = try lock()
    defer { lock.release() }
    try finishUnfinished()
    do throws(EventLogError) {
      try UnfinishedErasure(directory: directory).finishWherePossible()
    } catch {
      throw .log(error)
    }
    let survey = try survey()
    if survey.damages.isEmpty { throw .sound }
    if choice == .acceptHead, !survey.damages.allSatisfy(\.isLostEnd) {
      throw .impossible(
        reason: "the log is damaged in other ways than by a lost end; choose --cut or --fill")
    }
    let work = RepairWork(
      directory: directory, survey: survey, choice: choice, now: clock.microsecondsSinceEpoch,
      segmentBytes: segmentBytes)
    let (journal, outcome) = try work.begin()
    let head = try finish(journal)
    return RepairOutcome(
      choice: outcome.choice, head: head, lost: outcome.lost, removed: outcome.removed,
      kept: outcome.kept)
  }

  private func survey() throws(RepairError) -> LogSurvey {
    do throws(EventLogError) {
      let verifier = LogVerifier(directory: directory, knownHeads: knownHeads)
      guard let survey = try verifier.survey() else {
        throw EventLogError.noLog(directory: directory.root)
      }
      return survey
    } catch {
      throw .log(error)
    }
  }

  private func lock() throws(RepairError) -> any StorageLock {
    do throws(StorageError) {
      return try directory.storage.lock(directory.lock)
    } catch {
      throw .log(
        error.isHeldElsewhere ? .inUse(directory: directory.root) : .storage(error))
    }
  }

  /// Takes the journal's steps, adds the record of the repair to the log, and removes the journal.
  ///
  /// - Returns: where the log ends then.
  private func finish(_ journal: RepairJournal) throws(RepairError) -> UInt64 {
    let execution = RepairExecution(directory: directory)
    let rest = try mappingRepairErrors { () throws(StorageError) in
      try execution.takeSteps(of: journal)
    }
    let head = try RepairRecord(directory: directory, data: rest.record, clock: clock).append()
    try mappingRepairErrors { () throws(StorageError) in try execution.end() }
    return head
  }

  private func finishUnfinished() throws(RepairError) {
    let execution = RepairExecution(directory: directory)
    let journal: RepairJournal?
    do throws(EventLogError) {
      journal = try execution.unfinished()
    } catch {
      throw .log(error)
    }
    if let journal { _ = try finish(journal) }
    try mappingRepairErrors { () throws(StorageError) in
      // Of a repair that was interrupted before it changed the log.
      for name in try RepairExecution.names(in: directory.log, directory.storage) ?? []
      where name.hasSuffix(RepairJournal.madeSuffix) {
        try directory.storage.remove(directory.log + "/" + name)
      }
    }
  }
}
