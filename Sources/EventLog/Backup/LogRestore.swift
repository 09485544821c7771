public import EventSourcing

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
  private let target: RestoreTarget
  private let stop: RestoreStop
  private let newer: String?

  private var storage: any LogStorage { source.storage }

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
    target = RestoreTarget(directory: LogDirectory(storage: storage, root: directory))
    self.stop = stop
    self.newer = newer
  }

  /// Blocks until the log is restored and durable.
  public func run() throws(BackupError) -> Report {
    try target.checkIsEmpty()
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
    let lock = try target.prepare()
    defer { lock.release() }
    let erasures = erasures(newer)
    var pass = RestorePass(
      backup: backup, stop: stop, erasures: erasures, log: .random()
    ) { header throws(BackupError) in try target.create(header) }
    try pass.run()
    try target.publish(pass)
    return Report(
      log: pass.log, source: backup.manifest.log, head: GlobalPosition(pass.head),
      headTime: pass.head > 0 ? Timestamp(microseconds: pass.lastTime) : nil,
      segments: pass.parts.count, bytes: pass.parts.reduce(0) { $0 + $1.length },
      erased: erasures?.count ?? 0)
  }
}
