internal import ActorRuntime
internal import Digests
public import EventSourcing
internal import Glibc

/// Makes a data directory with the log that a backup holds, or the front part of it.
///
/// The new log has an id of its own, so that nobody who was further than the backup takes it for the
/// log that they knew. Everything that is taken is checked before anything is written, and what was
/// written is checked again before it counts.
public struct LogRestore: Sendable {
  /// What was restored.
  public struct Report: Sendable, Equatable {
    /// The new log's id.
    public let log: LogID
    /// The id of the log that the backup is of.
    public let source: LogID
    /// The last position.
    public let head: GlobalPosition
    /// The last event's time; nil where there is none.
    public let headTime: Timestamp?
    public let segments: Int
    public let bytes: Int
    /// How many events were erased that had not been in the backup.
    public let erased: Int
  }

  private let source: BackupDirectory
  private let target: LogDirectory
  private let stop: RestoreStop
  private let newer: String?

  private var storage: any LogStorage { target.storage }

  /// - Parameters:
  ///   - backup: the backup's directory.
  ///   - directory: the data directory to be made: an empty one or none.
  ///   - newer: a data directory, served or not, or a backup, of a later state of the same log: what
  ///     is erased there is erased in the restored log.
  public init(
    from backup: String, to directory: String, stop: RestoreStop = .head,
    erasuresFrom newer: String? = nil, storage: any LogStorage = FileStorage()
  ) {
    source = BackupDirectory(storage: storage, root: backup)
    target = LogDirectory(storage: storage, root: directory)
    self.stop = stop
    self.newer = newer
  }

  /// Blocks until the log is restored and durable.
  public func run() throws(BackupError) -> Report {
    try checkTargetIsEmpty()
    guard try source.read() != nil else { throw .noBackup(directory: source.root) }
    let backupLock = try source.lockForReading()
    defer { backupLock?.release() }
    let backup = try StoredBackup(source)
    if case .position(let position) = stop, position.rawValue > backup.manifest.head {
      throw .beyondHead(position: position.rawValue, head: backup.manifest.head)
    }
    let newer = try laterSegments()
    var check = RestorePass(
      backup: backup, stop: stop, erasures: erasures(newer), log: .random(), create: nil)
    try check.run()
    return try write(backup, newer)
  }

  private func checkTargetIsEmpty() throws(BackupError) {
    let names: [String]
    do throws(StorageError) {
      names = try storage.list(target.root)
    } catch {
      if error.code == ENOENT { return }
      throw BackupError(error)
    }
    // Left behind by a restore that was interrupted.
    let own = [LogDirectory.restoringName, LogDirectory.lockName, LogDirectory.headMarkName]
    if let other = names.sorted().first(where: { !own.contains($0) }) {
      throw .notEmpty(directory: target.root, name: other)
    }
  }

  private func laterSegments() throws(BackupError) -> [StoredSegment]? {
    guard let newer else { return nil }
    let directory = BackupDirectory(storage: storage, root: newer)
    if try directory.read() != nil { return try StoredBackup(directory).segments }
    return try DurableLog(LogDirectory(storage: storage, root: newer)).segments
  }

  private func erasures(_ segments: [StoredSegment]?) -> LaterErasures? {
    segments.map { LaterErasures($0, name: newer ?? "", storage: storage) }
  }

  private func write(
    _ backup: StoredBackup, _ newer: [StoredSegment]?
  ) throws(BackupError) -> Report {
    let lock = try prepareTarget()
    defer { lock.release() }
    let erasures = erasures(newer)
    var pass = RestorePass(
      backup: backup, stop: stop, erasures: erasures, log: .random()
    ) { header throws(BackupError) in try output(header) }
    try pass.run()
    for (index, part) in pass.parts.enumerated() {
      try check(part, before: pass.parts.after(index))
    }
    try mappingBackupErrors { () throws(StorageError) in
      try storage.syncDirectory(target.restoringLog)
      try writeHeadMark(HeadMark(log: pass.log, head: pass.head))
      try storage.rename(target.restoringLog, to: target.log)
      try storage.syncDirectory(target.root)
    }
    return Report(
      log: pass.log, source: backup.manifest.log, head: GlobalPosition(pass.head),
      headTime: pass.head > 0 ? Timestamp(microseconds: pass.lastTime) : nil,
      segments: pass.parts.count, bytes: pass.parts.reduce(0) { $0 + $1.length },
      erased: erasures?.count ?? 0)
  }

  /// Makes the directory for the segments, empty, and keeps services and other restores out.
  private func prepareTarget() throws(BackupError) -> any StorageLock {
    do throws(StorageError) {
      try storage.createDirectory(target.restoringLog)
      let lock = try storage.lock(target.lock)
      for name in try storage.list(target.restoringLog) {
        try storage.remove(target.restoringLog + "/" + name)
      }
      return lock
    } catch {
      throw error.isHeldElsewhere ? .inUse(directory: target.root) : BackupError(error)
    }
  }

  private func path(first: UInt64) -> String {
    target.restoringLog + "/" + FileFormat.segmentName(first: first)
  }

  private func output(_ header: SegmentHeader) throws(BackupError) -> SegmentOutput {
    try mappingBackupErrors { () throws(StorageError) in
      var output = SegmentOutput(try storage.open(path(first: header.first), .create))
      try output.append(header)
      return output
    }
  }

  /// Reads a segment back as a start would.
  private func check(
    _ part: RestorePass.Part, before next: RestorePass.Part?
  ) throws(BackupError) {
    let (header, scan) = try mappingBackupErrors { () throws(StorageError) in
      let file = try storage.open(path(first: part.header.first), .read)
      let window = FileWindow(file, size: try file.size())
      return (
        try file.bytes(SegmentHeader.size, at: 0), try SegmentScan(window, header: part.header)
      )
    }
    guard header == part.header.encoded(), scan.stop == .fileEnd, scan.end == part.length,
      scan.nextPosition == part.last + 1,
      next.map({ $0.header.previousDigest == scan.hasher.digest() }) ?? true
    else {
      throw .log(
        .damaged(
          file: FileFormat.segmentName(first: part.header.first), offset: scan.end,
          positions: scan.fault?.positions,
          reason: "the restored segment does not read as it was written"
            + (scan.fault.map { ": \($0.reason)" } ?? "")))
    }
  }

  private func writeHeadMark(_ mark: HeadMark) throws(StorageError) {
    let file = try storage.open(target.headMark, .create)
    try mark.encoded().withRawBytes { (bytes) throws(StorageError) in try file.write(bytes, at: 0) }
    try file.sync()
  }
}
