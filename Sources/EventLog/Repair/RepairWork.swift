internal import EventSourcing
internal import FastJSON

/// One repair: the new files, what is kept of the old ones, and the step from one to the other.
struct RepairWork {
  let directory: LogDirectory
  let survey: LogSurvey
  let choice: RepairChoice
  let now: Int64
  var segmentBytes = FileFormat.greatestOffset

  private var storage: any LogStorage { directory.storage }

  /// Makes the repaired log beside the old one, and writes down how it gets into its place.
  ///
  /// - Returns: the journal, and what will be done when its steps are taken.
  func begin() throws(RepairError) -> (RepairJournal, RepairOutcome) {
    let plan = plan()
    guard plan.lostCount <= RepairPlan.fillLimit else {
      throw .tooMuchLost(
        positions: plan.lostCount, canAcceptHead: survey.damages.allSatisfy(\.isLostEnd))
    }
    let lost = plan.lost.flatMap(\.self)
    var search = LostRecordsSearch(directory: directory)
    var writer = RepairWriter(
      directory: directory, log: log, created: now, lost: try search.names(for: lost, in: plan),
      reason: reason(of: survey.damages))
    writer.segmentBytes = segmentBytes
    let folder = Timestamp(microseconds: now).description
    let removed = survey.links.reduce(0) { $0 + $1.inspection.records } + lost.count
    let outcome = RepairOutcome(
      choice: choice, head: plan.head, lost: lost.count,
      removed: max(removed - Int(plan.head), 0), kept: "removed/" + folder)
    let journal = try mappingRepairErrors { () throws(StorageError) in
      try writer.make(plan)
      try keep(writer.headers, in: directory.removed + "/" + folder, lost: lost.count)
      let journal = RepairJournal(
        folder: folder, steps: writer.steps + [.discard],
        record: RepairRecord.data(of: outcome, damages: survey.damages))
      try RepairExecution(directory: directory).begin(journal)
      return journal
    }
    return (journal, outcome)
  }

  private func plan() -> RepairPlan {
    switch choice {
    case .fill: .fill(survey)
    case .cut: .cut(survey, head: survey.cutHead(in: directory))
    case .acceptHead: .cut(survey, head: survey.report.head)
    }
  }

  private var log: LogID {
    survey.inventory.log ?? HeadMark.read(in: directory)?.log ?? .random()
  }

  private func reason(of damages: [LogDamage]) -> @Sendable (UInt64) -> String {
    { position in
      damages.first { $0.lost?.contains(position) ?? false }?.reason ?? "it could not be read"
    }
  }

  /// What is kept beside the files themselves: why they were taken out, and old headers.
  private func keep(
    _ headers: [String: [UInt8]], in folder: String, lost: Int
  ) throws(StorageError) {
    try storage.createDirectory(folder)
    try RepairExecution.write(report(lost: lost), to: folder + "/report.json", storage)
    for (name, bytes) in headers {
      try RepairExecution.write(bytes, to: folder + "/" + name, storage)
    }
    try storage.syncDirectory(folder)
  }

  private func report(lost: Int) -> [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    writer.key("choice")
    writer.value(choice.rawValue)
    writer.key("log")
    writer.value(log.description)
    writer.key("time")
    writer.value(Timestamp(microseconds: now).description)
    writer.key("lost")
    writer.value(lost)
    writer.key("damages")
    writer.beginArray()
    for damage in survey.damages { damage.write(to: &writer) }
    writer.endArray()
    writer.endObject()
    return writer.bytes + [UInt8(ascii: "\n")]
  }
}

extension LogSurvey {
  /// Where the log ends once everything from the first damage on is taken out: with the last command
  /// before it whose events are all there.
  func cutHead(in directory: LogDirectory) -> UInt64 {
    var head = report.head
    for damage in damages {
      guard let link = links.first(where: { $0.entry.name == damage.file }) else {
        if let lost = damage.lost { head = min(head, lost.lowerBound - 1) }
        continue
      }
      head = min(
        head, damage.offset > 0 ? wholeHead(link, damage, directory) : before(damage, link))
    }
    return head
  }

  private func before(_ damage: LogDamage, _ link: ChainCheck.Link) -> UInt64 {
    min(damage.positions?.lowerBound ?? link.entry.first, link.entry.first) - 1
  }

  private func wholeHead(
    _ link: ChainCheck.Link, _ damage: LogDamage, _ directory: LogDirectory
  ) -> UInt64 {
    var whole = link.entry.first - 1
    let pieces = link.inspection.pieces.filter { $0.bytes.upperBound <= damage.offset }
    for case .batches(_, let positions) in pieces { whole = max(whole, positions.upperBound) }
    // Of the damaged batch, the commands that are complete.
    let behind = pieces.filter { $0.positions.lowerBound > whole }
    guard !behind.isEmpty, let file = try? directory.storage.open(link.entry.path, .read) else {
      return whole
    }
    let walk = RecordWalk(window: FileWindow(file, size: link.entry.size))
    try? walk.each(of: behind) { record, _ in
      if record.command != 0 { whole = max(whole, record.position) }
    }
    return whole
  }
}
