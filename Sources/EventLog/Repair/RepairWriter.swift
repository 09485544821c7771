internal import Digests
internal import EventSourcing

/// Makes the files of a repaired log beside the old ones, and lists the steps that put them in
/// place.
struct RepairWriter {
  /// A segment that is made up of lost positions alone becomes no larger than this.
  private static let madeUpBytes = 256 << 20

  let directory: LogDirectory
  let log: LogID
  let created: Int64
  let lost: LostRecords
  /// Why positions are lost.
  let reason: @Sendable (UInt64) -> String
  /// No segment that is made anew becomes larger.
  var segmentBytes = FileFormat.greatestOffset
  private(set) var steps: [RepairJournal.Step] = []
  /// Old headers that are replaced in place, by the name of their copy.
  private(set) var headers: [String: [UInt8]] = [:]
  private var previous = SegmentSeries.End()

  init(
    directory: LogDirectory, log: LogID, created: Int64, lost: LostRecords,
    reason: @escaping @Sendable (UInt64) -> String
  ) {
    self.directory = directory
    self.log = log
    self.created = created
    self.lost = lost
    self.reason = reason
  }

  mutating func make(_ plan: RepairPlan) throws(StorageError) {
    for name in plan.outcasts { steps.append(.keep(name)) }
    for part in plan.parts {
      let header = SegmentHeader(
        log: log, first: part.first, previousFirst: previous.first,
        created: part.link?.entry.header?.created ?? created, previousTime: previous.time,
        previousDigest: previous.digest)
      if part.isRebuilt {
        try rebuild(part, header)
      } else if let link = part.link {
        try keep(link, header)
      }
    }
    try directory.storage.syncDirectory(directory.log)
  }

  private mutating func rebuild(
    _ part: RepairPlan.Part, _ header: SegmentHeader
  ) throws(StorageError) {
    let series = try SegmentSeries(
      in: directory, header: header,
      limit: part.link == nil ? min(segmentBytes, Self.madeUpBytes) : segmentBytes)
    if let positions = part.positions {
      try copy(part.link, positions, into: series)
      while series.next <= positions.upperBound { try fill(series) }
    }
    previous = try series.finish()
    if let link = part.link { steps.append(.keep(link.entry.name)) }
    steps += series.names.map { .place($0) }
  }

  private func copy(
    _ link: ChainCheck.Link?, _ positions: ClosedRange<UInt64>, into series: SegmentSeries
  ) throws(StorageError) {
    guard let link, !link.inspection.pieces.isEmpty else { return }
    let file = try directory.storage.open(link.entry.path, .read)
    let walk = RecordWalk(window: FileWindow(file, size: try file.size()))
    try walk.each(of: link.inspection.pieces) { (record, bytes) throws(StorageError) in
      guard record.position >= series.next, record.position <= positions.upperBound else {
        return
      }
      while series.next < record.position { try fill(series) }
      try series.add(record, bytes)
    }
  }

  private func fill(_ series: SegmentSeries) throws(StorageError) {
    guard let name = lost.name(of: series.next) else {
      preconditionFailure("position \(series.next) is neither kept nor lost")
    }
    try series.add(name, reason: reason(series.next))
  }

  /// A segment whose content stays; its header is written anew where it does not fit any more.
  private mutating func keep(
    _ link: ChainCheck.Link, _ header: SegmentHeader
  ) throws(StorageError) {
    let file = try directory.storage.open(link.entry.path, .read)
    var digest = link.inspection.digest
    if link.entry.header != header || link.entry.damage != nil {
      steps.append(.header(link.entry.name, header.encoded()))
      headers[link.entry.name + ".header"] = try file.bytes(SegmentHeader.size, at: 0)
      digest = nil
    }
    if digest == nil {
      let window = FileWindow(file, size: try file.size())
      digest = try SegmentDigest(window, header: header).value
    }
    previous = SegmentSeries.End(
      first: header.first, time: link.inspection.lastTime, digest: digest ?? .zero)
  }
}
