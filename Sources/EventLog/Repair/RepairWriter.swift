internal import Digests
internal import EventSourcing

/// Makes the files of a repaired log beside the old ones, and lists the steps that put them in
/// place.
struct RepairWriter {
  private struct Previous {
    var first: UInt64 = 0
    var time = Int64.min
    var digest = SHA256Digest.zero
  }

  let directory: LogDirectory
  let log: LogID
  let created: Int64
  let lost: LostRecords
  /// Why positions are lost.
  let reason: @Sendable (UInt64) -> String
  private(set) var steps: [RepairJournal.Step] = []
  /// Old headers that are replaced in place, by the name of their copy.
  private(set) var headers: [String: [UInt8]] = [:]
  private var previous = Previous()

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
    let name = FileFormat.segmentName(first: part.first)
    let file = try directory.storage.open(
      directory.log + "/" + name + RepairJournal.madeSuffix, .create)
    let builder = try SegmentBuilder(file, header: header)
    if let positions = part.positions {
      try copy(part.link, positions, into: builder)
      while builder.next <= positions.upperBound { try fill(builder) }
    }
    try builder.finishBatch()
    try file.sync()
    if let link = part.link { steps.append(.keep(link.entry.name)) }
    steps.append(.place(name))
    previous = Previous(first: part.first, time: builder.lastTime, digest: builder.digest)
  }

  private func copy(
    _ link: ChainCheck.Link?, _ positions: ClosedRange<UInt64>, into builder: SegmentBuilder
  ) throws(StorageError) {
    guard let link, !link.inspection.pieces.isEmpty else { return }
    let file = try directory.storage.open(link.entry.path, .read)
    let walk = RecordWalk(window: FileWindow(file, size: try file.size()))
    try walk.each(of: link.inspection.pieces) { (record, bytes) throws(StorageError) in
      guard record.position >= builder.next, record.position <= positions.upperBound else {
        return
      }
      while builder.next < record.position { try fill(builder) }
      try builder.add(record, bytes)
    }
  }

  private func fill(_ builder: SegmentBuilder) throws(StorageError) {
    guard let name = lost.name(of: builder.next) else {
      preconditionFailure("position \(builder.next) is neither kept nor lost")
    }
    try builder.add(name, reason: reason(builder.next))
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
    previous = Previous(
      first: header.first, time: link.inspection.lastTime, digest: digest ?? .zero)
  }
}
