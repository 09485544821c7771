internal import EventSourcing

/// Reads what is left of a log for signs of what lost positions held.
struct LostRecordsSearch {
  private struct Last {
    var revision: UInt64
    var position: UInt64
  }

  private let directory: LogDirectory
  private let hash = StreamHash(mask: .max)
  private var decoder = RecordDecoder()
  private var last: [StreamID: Last] = [:]
  private var gaps: [LostRecords.Gap] = []

  init(directory: LogDirectory) { self.directory = directory }

  mutating func names(
    for lost: [UInt64], in plan: RepairPlan
  ) throws(RepairError) -> LostRecords {
    if lost.isEmpty { return try LostRecords(positions: [], known: [:], gaps: []) }
    for part in plan.parts {
      guard let link = part.link else { continue }
      try mappingRepairErrors { () throws(StorageError) in try read(link, limit: lost.count) }
    }
    let known = indexed(lost, in: plan)
    let told = Set(known.values.map { Key(stream: $0.stream, revision: $0.revision) })
    let open = gaps.filter {
      !told.contains(Key(stream: $0.name.stream, revision: $0.name.revision))
    }
    let remains = try mappingRepairErrors {
      () throws(StorageError) -> [UInt64: LostRecords.Name] in
      try self.remains(in: plan)
    }
    return try LostRecords(
      positions: lost, known: known.merging(remains) { indexed, _ in indexed }, gaps: open)
  }

  /// What damaged records say themselves, where it fits: the last records of their streams, of which
  /// nothing behind them tells.
  private mutating func remains(
    in plan: RepairPlan
  ) throws(StorageError) -> [UInt64: LostRecords.Name] {
    var found: [UInt64: LostRecords.Name] = [:]
    for case let link? in plan.parts.map(\.link) {
      for damage in link.inspection.damages {
        guard let lost = damage.lost, lost.count == 1, damage.offset > 0 else { continue }
        let file = try directory.storage.open(link.entry.path, .read)
        let bytes = try file.bytes(RecordFrame.size + Int(UInt8.max), at: damage.offset)
        guard let name = bytes.withRawBytes({ RecordFrame.remains($0, of: lost.lowerBound) }),
          let stream = try? StreamID(name.stream),
          name.revision == (last[stream]?.revision ?? 0) + 1
        else { continue }
        last[stream] = Last(revision: name.revision, position: lost.lowerBound)
        found[lost.lowerBound] = LostRecords.Name(stream: stream, revision: name.revision)
      }
    }
    return found
  }

  private struct Key: Hashable {
    let stream: StreamID
    let revision: UInt64
  }

  /// - Parameter limit: no more revisions can be missing than positions.
  private mutating func read(_ link: ChainCheck.Link, limit: Int) throws(StorageError) {
    let file = try directory.storage.open(link.entry.path, .read)
    let walk = RecordWalk(window: FileWindow(file, size: try file.size()))
    try walk.each(of: link.inspection.pieces) { record, bytes in
      guard let stream = try? decoder.stream(of: record, in: bytes) else { return }
      let known = last[stream] ?? Last(revision: 0, position: 0)
      last[stream] = Last(revision: record.revision, position: record.position)
      guard record.revision > known.revision + 1,
        record.revision - known.revision <= UInt64(limit) + 1
      else { return }
      for revision in known.revision + 1..<record.revision {
        gaps.append(
          LostRecords.Gap(
            name: LostRecords.Name(stream: stream, revision: revision), after: known.position,
            before: record.position))
      }
    }
  }

  /// What the index of a damaged segment says of its lost positions. The names of streams are those
  /// met elsewhere in the log.
  private func indexed(_ lost: [UInt64], in plan: RepairPlan) -> [UInt64: LostRecords.Name] {
    let streams = Dictionary(
      last.keys.map { (hash.value(of: $0), $0) }, uniquingKeysWith: { first, _ in first })
    var known: [UInt64: LostRecords.Name] = [:]
    let wanted = Set(lost)
    for (part, next) in zip(plan.parts, plan.parts.dropFirst()) where part.isRebuilt {
      guard let link = part.link, let header = link.entry.header,
        let after = next.link?.entry.header,
        after.previousFirst == header.first
      else { continue }
      let seal = Segment.Seal(
        count: Int(after.first - header.first), length: link.entry.size,
        digest: after.previousDigest)
      let file = IndexFile(
        storage: directory.storage, directory: directory.index, first: header.first)
      guard let table = file.section(.streams, log: header.log, first: header.first, seal: seal),
        let postings = file.section(.postings, log: header.log, first: header.first, seal: seal)
      else { continue }
      for entry in 0..<table.bytes.count / IndexImage.streamSize {
        let place = entry * IndexImage.streamSize
        guard let stream = streams[table.number(at: place)] else { continue }
        let lastRevision: UInt64 = table.number(at: place + 8)
        let start = Int(table.number(at: place + 16, as: UInt32.self))
        let count = Int(table.number(at: place + 20, as: UInt32.self))
        for index in 0..<count {
          let ordinal: UInt32 = postings.number(at: (start + index) * 4)
          let position = header.first + UInt64(ordinal)
          if wanted.contains(position) {
            known[position] = LostRecords.Name(
              stream: stream, revision: lastRevision - UInt64(count - 1 - index))
          }
        }
      }
    }
    return known
  }
}
