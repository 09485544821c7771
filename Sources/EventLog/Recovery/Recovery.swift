internal import Digests
internal import EventSourcing

/// Finds out at the start what the log is: reads each segment's header, the newest sealed segment
/// for its digest, and all of the newest segment. So a log that grows costs one block more for each
/// segment. It changes nothing unless all is well, but that it finishes an erasure that was
/// interrupted; then it cuts a write that never finished.
struct Recovery {
  let directory: LogDirectory
  let segmentBytes: Int
  /// How far others say that the log goes.
  var knownHeads: [KnownHead] = []

  struct Found: Sendable {
    let segments: [Segment]
    let tail: SegmentAppender.Tail
    /// The newest segment, open for writing.
    let file: any LogFile
    let note: String?
    /// Why there is no room to write.
    let readOnlyReason: String?
  }

  /// The log that is there, or a new one.
  ///
  /// - Parameter created: the time now.
  func find(created: Int64) throws(EventLogError) -> Found {
    try UnfinishedErasure(directory: directory).finish()
    let mark = HeadMark.read(in: directory)
    let known = (mark.map { [$0.known] } ?? []) + knownHeads
    if let found = try openLog(known) { return found }
    try Self.check(mark?.head ?? 0, end: nil)
    return try createLog(created: created)
  }

  /// Makes the log's first segment.
  private func createLog(created: Int64) throws(EventLogError) -> Found {
    let header = SegmentHeader(
      log: .random(), first: 1, previousFirst: 0, created: created, previousTime: .min,
      previousDigest: .zero)
    let file = try mappingStorageErrors { () throws(StorageError) in
      try directory.createSegment(header, size: segmentBytes)
    }
    let segment = Segment(
      header: header, path: directory.segmentPath(first: 1),
      live: LiveIndex(end: SegmentHeader.size))
    let tail = SegmentAppender.Tail(
      end: SegmentHeader.size, position: 0, time: .min, hasher: header.chainHasher)
    return Found(segments: [segment], tail: tail, file: file, note: nil, readOnlyReason: nil)
  }

  /// The log that is there; nil where none is.
  private func openLog(_ known: [KnownHead]) throws(EventLogError) -> Found? {
    let chain = try SegmentChain(directory: directory)
    guard let newest = chain.links.last else { return nil }
    try chain.checkDigest()
    let (window, scan, hasTornTail) = try mappingStorageErrors { () throws(StorageError) in
      let file = try directory.storage.open(newest.path, .write)
      let window = FileWindow(file, size: newest.size)
      let scan = try SegmentScan(window, header: newest.header)
      return (window, scan, try TornTail(window: window, scan: scan).isThere)
    }
    if !hasTornTail, let fault = scan.fault {
      throw .damaged(
        file: newest.name, offset: fault.offset, positions: fault.positions, reason: fault.reason)
    }
    let head = known.position(in: newest.header.log)
    try Self.check(head, end: (newest.name, scan.end, scan.nextPosition - 1))
    let note = hasTornTail ? try cut(window.file, newest, scan) : nil
    try mappingStorageErrors { () throws(StorageError) in try secure(scan, window, head) }
    return found(chain, scan, window.file, note: note)
  }

  /// Makes what was found durable before anyone sees it.
  ///
  /// A process that was killed may have left batches that only the kernel has. Where a sync of them
  /// had failed, the kernel takes them for written though they are not, and a further sync would
  /// pass them over; so they are written again, byte for byte, unless they are known to be durable.
  /// The segment's name may not be durable either.
  ///
  /// - Parameter head: a position that was durable.
  private func secure(
    _ scan: SegmentScan, _ window: FileWindow, _ head: UInt64
  ) throws(StorageError) {
    let isKnownDurable = head + 1 >= scan.nextPosition
    var offset = isKnownDurable ? scan.end : scan.lastGroup
    while offset < scan.end {
      let piece = try window.bytes(offset..<min(offset + (1 << 20), scan.end))
      try window.file.write(piece, at: offset)
      offset += piece.count
    }
    try window.file.sync()
    try directory.storage.syncDirectory(directory.log)
  }

  /// Compares where the log ends with where it is known to have been durable.
  ///
  /// - Parameter end: nil where there is no segment at all.
  static func check(
    _ head: UInt64, end: (file: String, offset: Int, position: UInt64)?
  ) throws(EventLogError) {
    let position = end?.position ?? 0
    guard head > position else { return }
    throw .damaged(
      file: end?.file ?? FileFormat.segmentName(first: 1), offset: end?.offset ?? 0,
      positions: position + 1...head,
      reason: "the log has lost its end: it ends with position \(position), and \(head) was "
        + "durable")
  }

  /// Takes an unfinished write away.
  ///
  /// - Returns: what was done, for people.
  private func cut(
    _ file: any LogFile, _ link: SegmentChain.Link, _ scan: SegmentScan
  ) throws(EventLogError) -> String {
    try mappingStorageErrors { () throws(StorageError) in
      try file.truncate(to: scan.end)
      try file.sync()
    }
    return "cut \(link.size - scan.end) bytes of an unfinished write, reserved room included, at "
      + EventLogError.place(file: link.name, offset: scan.end)
      + "; the log ends with position \(scan.nextPosition - 1)"
  }

  private func found(
    _ chain: SegmentChain, _ scan: SegmentScan, _ file: any LogFile, note: String?
  ) -> Found {
    let tail = SegmentAppender.Tail(
      end: scan.end, position: scan.nextPosition - 1, time: scan.lastTime, hasher: scan.hasher)
    var readOnlyReason: String?
    do throws(StorageError) {
      try file.preallocate(to: max(segmentBytes, scan.end))
      try file.sync()
    } catch {
      // A full disk is no reason not to start: what is there can be read.
      readOnlyReason = error.description
    }
    return Found(
      segments: segments(chain, newest: scan.live), tail: tail, file: file, note: note,
      readOnlyReason: readOnlyReason)
  }

  private func segments(_ chain: SegmentChain, newest live: LiveIndex) -> [Segment] {
    chain.links.indices.map { index in
      let link = chain.links[index]
      guard index + 1 < chain.links.count else {
        return Segment(header: link.header, path: link.path, live: live)
      }
      let next = chain.links[index + 1].header
      return Segment(
        header: link.header, path: link.path,
        seal: Segment.Seal(
          count: Int(next.first - link.header.first), length: link.size,
          digest: next.previousDigest))
    }
  }
}
