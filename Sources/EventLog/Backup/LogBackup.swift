public import ActorRuntime
public import EventSourcing

/// Brings a backup up to date with a log, which a service may be serving and writing to meanwhile.
///
/// The backup then holds all that was durable when it began. A run that fails or is killed at any
/// moment leaves the backup as it was before.
public struct LogBackup: Sendable {
  /// What a run did.
  public struct Report: Sendable, Equatable {
    public let log: LogID
    /// The last position in the backup.
    public let head: GlobalPosition
    /// The last event's time; nil where there is none.
    public let headTime: Timestamp?
    /// How many segments the backup holds.
    public let segments: Int
    /// How many of them are new, are longer than before, were written anew because something in
    /// them was erased or the copy was gone, or are as they were.
    public let copied, extended, replaced, unchanged: Int
    /// How many bytes the backup holds, and how many of them this run wrote.
    public let bytes, written: Int
  }

  private let knownHeads: [KnownHead]
  private let source: LogDirectory
  private let target: BackupDirectory
  private let clock: any WallClock

  /// - Parameters:
  ///   - directory: a service's data directory.
  ///   - knownHeads: how far others say that the log goes.
  ///   - target: the backup's directory: a backup of the same log, an empty one or none; not inside
  ///     `directory`.
  public init(
    of directory: String, to target: String, knownHeads: [KnownHead] = [],
    storage: any LogStorage = FileStorage(), clock: any WallClock = SystemClock()
  ) {
    self.knownHeads = knownHeads
    source = LogDirectory(storage: storage, root: directory)
    self.target = BackupDirectory(storage: storage, root: target)
    self.clock = clock
  }

  /// Blocks until the backup is up to date and durable.
  public func run() throws(BackupError) -> Report {
    let log = try DurableLog(source, knownHeads: knownHeads)
    let lock = try target.prepare()
    defer { lock.release() }
    let known = try target.read()
    try check(known, against: log)
    try mappingBackupErrors { () throws(StorageError) in try target.removeFiles(besides: known) }
    let copies = try copy(log, known: known?.segments ?? [])
    let time = copies[copies.count - 1].lastTime
    let manifest = BackupManifest(
      time: Timestamp(microseconds: clock.microsecondsSinceEpoch), log: log.log, head: log.head,
      headTime: log.head > 0 ? Timestamp(microseconds: time) : nil, segments: copies.map(\.segment))
    try mappingBackupErrors { () throws(StorageError) in try target.replace(with: manifest) }
    return report(manifest, copies)
  }

  private func check(_ known: BackupManifest?, against log: DurableLog) throws(BackupError) {
    guard let known else { return }
    guard known.log == log.log else {
      throw .otherLog(directory: target.root, backup: known.log, log: log.log)
    }
    guard known.head <= log.head else {
      throw .ahead(directory: target.root, backup: known.head, head: log.head)
    }
  }

  private func copy(
    _ log: DurableLog, known: [BackupManifest.Segment]
  ) throws(BackupError) -> [SegmentBackup.Copy] {
    var copies: [SegmentBackup.Copy] = []
    for (index, source) in log.segments.enumerated() {
      let known = index < known.count ? known[index] : nil
      guard (known?.first ?? source.header.first) == source.header.first else {
        throw .otherHistory(directory: target.root, position: source.header.first)
      }
      let copy = try SegmentBackup(source: source, known: known, directory: target).run()
      try source.check(copy.segment.chain, before: log.segments.after(index))
      copies.append(copy)
    }
    guard copies.count >= known.count else {
      throw .otherHistory(directory: target.root, position: log.head)
    }
    return copies
  }

  private func report(_ manifest: BackupManifest, _ copies: [SegmentBackup.Copy]) -> Report {
    func count(_ result: SegmentBackup.Result) -> Int { copies.count { $0.result == result } }
    return Report(
      log: manifest.log, head: GlobalPosition(manifest.head), headTime: manifest.headTime,
      segments: copies.count, copied: count(.copied), extended: count(.extended),
      replaced: count(.replaced), unchanged: count(.unchanged), bytes: manifest.bytes,
      written: copies.reduce(0) { $0 + $1.written })
  }
}

extension Array {
  func after(_ index: Int) -> Element? { index + 1 < count ? self[index + 1] : nil }
}
