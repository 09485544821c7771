internal import ActorRuntime
internal import EventSourcing

/// Gathers ``LogStatistics``. Damage where it looks is an error, as at a start.
public struct LogStatisticsReader: Sendable {
  /// A service may be in the middle of a write: what is wrong only then is right a little later.
  private static let looks = 5
  private static let pauseMilliseconds = 50

  private let directory: LogDirectory

  public init(directory: String, storage: any LogStorage = FileStorage()) {
    self.directory = LogDirectory(storage: storage, root: directory)
  }

  public func read() throws(EventLogError) -> LogStatistics {
    try directory.checkIsToBeServed()
    for _ in 1..<Self.looks {
      if let statistics = try? look(), statistics.unfinished == nil { return statistics }
      Monitor(()).wait(milliseconds: Self.pauseMilliseconds) { _ in nil as Void? }
    }
    return try look()
  }

  private func look() throws(EventLogError) -> LogStatistics {
    let chain = try chain()
    guard let newest = chain.links.last else { throw .noLog(directory: directory.root) }
    let (scan, hasTornTail) = try mappingStorageErrors { () throws(StorageError) in
      let file = try directory.storage.openSettled(newest.path, segment: newest.header.first)
      let window = FileWindow(file, size: newest.size)
      let scan = try SegmentScan(window, header: newest.header)
      return (scan, try TornTail(window: window, scan: scan).isThere)
    }
    if !hasTornTail, let fault = scan.fault {
      throw .damaged(
        file: newest.name, offset: fault.offset, positions: fault.positions, reason: fault.reason)
    }
    var statistics = LogStatistics(
      log: newest.header.log, head: scan.nextPosition - 1, segments: parts(chain, newest: scan))
    if hasTornTail {
      statistics.unfinished = LogPlace(file: newest.name, offset: scan.end)
    }
    if statistics.head > 0 {
      statistics.firstTime = try firstTime(chain.links[0])
      statistics.lastTime = Timestamp(microseconds: scan.lastTime)
    }
    count(chain, newest: scan, into: &statistics)
    return statistics
  }

  private func chain() throws(EventLogError) -> SegmentChain {
    do throws(EventLogError) {
      return try SegmentChain(directory: directory)
    } catch {
      if case .storage(let cause) = error, cause.isMissing {
        throw .noLog(directory: directory.root)
      }
      throw error
    }
  }

  private func parts(_ chain: SegmentChain, newest: SegmentScan) -> [LogStatistics.SegmentPart] {
    chain.links.indices.map { index in
      let link = chain.links[index]
      let next = index + 1 < chain.links.count ? chain.links[index + 1] : nil
      return LogStatistics.SegmentPart(
        file: link.name, first: link.header.first,
        records: next.map { Int($0.header.first - link.header.first) } ?? newest.count,
        bytes: next == nil ? newest.end : link.size, size: link.size,
        created: Timestamp(microseconds: link.header.created))
    }
  }

  /// The time of a segment's first record.
  private func firstTime(_ link: SegmentChain.Link) throws(EventLogError) -> Timestamp? {
    let bytes = try mappingStorageErrors { () throws(StorageError) in
      try directory.storage.open(link.path, .read)
        .bytes(RecordFrame.size, at: SegmentHeader.size + BatchHeader.size)
    }
    return bytes.withRawBytes { bytes in
      bytes.count == RecordFrame.size
        ? Timestamp(microseconds: bytes.number(at: RecordFrame.timeOffset)) : nil
    }
  }

  /// Counts streams and commands, of sealed segments by their indexes.
  private func count(
    _ chain: SegmentChain, newest: SegmentScan, into statistics: inout LogStatistics
  ) {
    let hash = StreamHash(mask: .max)
    var streams = Set(newest.live.streams.map { hash.value(of: $0.stream) })
    var commands = newest.live.commands.count
    for (link, next) in zip(chain.links, chain.links.dropFirst()) {
      let file = IndexFile(
        storage: directory.storage, directory: directory.index, first: link.header.first)
      let seal = Segment.Seal(
        count: Int(next.header.first - link.header.first), length: link.size,
        digest: next.header.previousDigest)
      guard let table = section(.streams, of: link, in: file, seal),
        let list = section(.commands, of: link, in: file, seal)
      else {
        statistics.indexesToRebuild += 1
        continue
      }
      for entry in 0..<table.bytes.count / IndexImage.streamSize {
        streams.insert(table.number(at: entry * IndexImage.streamSize))
      }
      commands += list.bytes.count / IndexImage.commandSize
    }
    guard statistics.indexesToRebuild == 0 else { return }
    statistics.streams = streams.count
    statistics.commands = commands
  }

  private func section(
    _ section: IndexImage.Section, of link: SegmentChain.Link, in file: IndexFile,
    _ seal: Segment.Seal
  ) -> IndexSection? {
    file.section(section, log: link.header.log, first: link.header.first, seal: seal)
  }
}
