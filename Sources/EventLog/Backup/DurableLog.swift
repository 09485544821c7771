internal import EventSourcing
internal import Glibc

/// What is durable of the log in a data directory, whether or not a service is running there and
/// writing to it.
///
/// Of a served log it is what the head mark says: that is never ahead of what is durable, nor behind
/// what anybody was told of. Of one that nobody serves it is what a start would find, by the same
/// rules; nothing is cut.
struct DurableLog {
  private static let markAttempts = 20
  private static let pauseMicroseconds: UInt32 = 10_000

  let log: LogID
  let head: UInt64
  /// At least one.
  let segments: [StoredSegment]

  /// - Parameter knownHeads: how far others say that the log goes.
  init(_ directory: LogDirectory, knownHeads: [KnownHead] = []) throws(BackupError) {
    do throws(EventLogError) {
      try directory.checkIsToBeServed()
    } catch {
      throw .log(error)
    }
    try Self.checkThereIsALog(directory)
    let lock: (any StorageLock)?
    do throws(StorageError) {
      lock = try directory.storage.lock(directory.lock)
    } catch {
      if error.isHeldElsewhere {
        try self.init(served: directory)
        return
      }
      // On a medium that cannot be written to nobody serves anything.
      guard error.code == EROFS else { throw BackupError(error) }
      lock = nil
    }
    // Held only until it is known where the log ends: a service may start while it is being copied.
    defer { lock?.release() }
    try self.init(unserved: directory, knownHeads)
  }

  private static func checkThereIsALog(_ directory: LogDirectory) throws(BackupError) {
    let names: [String]
    do throws(StorageError) {
      names = try directory.storage.list(directory.log)
    } catch {
      guard error.isMissing else { throw BackupError(error) }
      throw .noLog(directory: directory.root)
    }
    guard names.contains(where: { $0.hasSuffix(FileFormat.segmentSuffix) }) else {
      throw .noLog(directory: directory.root)
    }
  }

  /// Takes the mark first and looks at the segments then: they hold at least what it says.
  private init(served directory: LogDirectory) throws(BackupError) {
    for _ in 0..<Self.markAttempts {
      let mark = HeadMark.read(in: directory)
      let links = try Self.links(directory)
      if let mark, let first = links.first, mark.log == first.header.log {
        self.init(links, head: mark.head, isServed: true)
        return
      }
      // It was being written, or the service has only just made the log.
      usleep(Self.pauseMicroseconds)
    }
    throw .noHeadMark(directory: directory.root)
  }

  private static func links(
    _ directory: LogDirectory
  ) throws(BackupError) -> [SegmentChain.Link] {
    do throws(EventLogError) {
      return try SegmentChain(directory: directory).links
    } catch {
      throw .log(error)
    }
  }

  private init(
    unserved directory: LogDirectory, _ knownHeads: [KnownHead]
  ) throws(BackupError) {
    let links = try Self.links(directory)
    let newest = links[links.count - 1]
    let (scan, hasTornTail) = try mappingBackupErrors { () throws(StorageError) in
      let file = try directory.storage.openSettled(
        newest.path, segment: newest.header.first)
      let window = FileWindow(file, size: newest.size)
      let scan = try SegmentScan(window, header: newest.header)
      let hasTornTail = try TornTail(window: window, scan: scan).isThere
      // What a crash of the last service left in memory only is to stay once it is in a copy.
      try file.syncData()
      return (scan, hasTornTail)
    }
    if !hasTornTail, let fault = scan.fault {
      throw .log(
        .damaged(
          file: newest.name, offset: fault.offset, positions: fault.positions,
          reason: fault.reason))
    }
    let head = scan.nextPosition - 1
    let mark =
      HeadMark.read(in: directory).map { [$0.known] } ?? []
    do throws(EventLogError) {
      try Recovery.check(
        (mark + knownHeads).position(in: newest.header.log), end: (newest.name, scan.end, head))
    } catch {
      throw .log(error)
    }
    self.init(links, head: head, isServed: false)
  }

  private init(_ links: [SegmentChain.Link], head: UInt64, isServed: Bool) {
    log = links[0].header.log
    self.head = head
    segments = links.indices.compactMap { index in
      let link = links[index]
      guard index == 0 || link.header.first <= head else { return nil }
      let sealedLast = index + 1 < links.count ? links[index + 1].header.first - 1 : nil
      return StoredSegment(
        header: link.header, path: link.path, name: link.name, size: link.size,
        last: min(sealedLast ?? head, head),
        endsWithLast: sealedLast.map { $0 <= head } ?? false, mayChange: isServed)
    }
  }
}
