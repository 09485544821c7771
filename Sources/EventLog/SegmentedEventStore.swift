public import ActorRuntime
public import EventSourcing

/// The embedded engine: an append-only log of segment files, with group commit.
///
/// One thread, `log-writer`, takes all that waits, writes it and syncs once. Reads happen on their
/// callers' threads and block for the disk. How the files look is said in `FileFormat`.
public final class SegmentedEventStore: EventStore, Service {
  let core: LogCore
  let queue: AppendQueue
  let storage: any LogStorage
  let redactor: Redactor
  private let files: SegmentFiles
  let recoveryNote: String?
  /// The aggregates' snapshots, in files beside the log's.
  public let snapshots: SnapshotFiles
  private let writer: Lock<WriterDrive>

  public var name: String { "event log" }

  /// Opens the log in `directory`, or makes one there.
  ///
  /// - Throws: ``EventLogError``, where another process has it, where it is damaged, or where the
  ///   storage fails. A full disk is no reason: the log is read-only then.
  public static func open(
    directory: String, configuration: EventLogConfiguration = EventLogConfiguration(),
    clock: any WallClock = SystemClock(), storage: any LogStorage = FileStorage()
  ) throws(EventLogError) -> SegmentedEventStore {
    try open(
      directory: directory, configuration: configuration, clock: clock, storage: storage,
      isStepped: false)
  }

  /// Opens the log as `open` does, but without a thread: whoever opens it takes the writer's turns
  /// with ``step()``, so that a simulation decides what happens in which order.
  package static func openStepped(
    directory: String, configuration: EventLogConfiguration, clock: any WallClock,
    storage: any LogStorage
  ) throws(EventLogError) -> SegmentedEventStore {
    try open(
      directory: directory, configuration: configuration, clock: clock, storage: storage,
      isStepped: true)
  }

  private static func open(
    directory: String, configuration: EventLogConfiguration, clock: any WallClock,
    storage: any LogStorage, isStepped: Bool
  ) throws(EventLogError) -> SegmentedEventStore {
    let place = LogDirectory(storage: storage, root: directory)
    try place.checkIsToBeServed()
    let lock = try lock(place)
    return try open(
      place, lock: lock, configuration: configuration, clock: clock, isStepped: isStepped)
  }

  /// - Parameter lock: released when the store is closed.
  static func open(
    _ place: LogDirectory, lock: any StorageLock, configuration: EventLogConfiguration,
    clock: any WallClock, isStepped: Bool = false
  ) throws(EventLogError) -> SegmentedEventStore {
    let recovery = Recovery(
      directory: place, segmentBytes: configuration.effectiveSegmentBytes,
      knownHeads: configuration.knownHeads)
    let found = try recovery.find(created: clock.microsecondsSinceEpoch)
    return try SegmentedEventStore(
      place, found, lock: lock, configuration: configuration, clock: clock, isStepped: isStepped)
  }

  private static func lock(_ place: LogDirectory) throws(EventLogError) -> any StorageLock {
    do throws(StorageError) {
      try place.storage.createDirectory(place.log)
      try place.storage.createDirectory(place.index)
      // Without it there are no snapshots, and nothing else is missing.
      try? place.storage.createDirectory(place.snapshots)
      return try place.storage.lock(place.lock)
    } catch {
      throw error.isHeldElsewhere ? .inUse(directory: place.root) : .storage(error)
    }
  }

  private static func note(_ gap: ReadError) -> String {
    "commands that wrote before cannot be told from new ones, so new ones are refused until the log "
      + "is repaired: \(gap)"
  }

  private init(
    _ place: LogDirectory, _ found: Recovery.Found, lock: any StorageLock,
    configuration: EventLogConfiguration, clock: any WallClock, isStepped: Bool
  ) throws(EventLogError) {
    let files = SegmentFiles(storage: place.storage, limit: configuration.openSegments)
    let indexes = SegmentIndexes(
      storage: place.storage, directory: place.index, files: files,
      hash: StreamHash(mask: configuration.streamHashMask),
      cacheBytes: configuration.indexCacheBytes)
    let loaded = try HorizonLoader(indexes: indexes, limit: configuration.commandHorizon)
      .load(found.segments)
    let core = LogCore(
      catalog: Catalog(found.segments),
      locator: RecordLocator(indexes: indexes, records: RecordReader(files: files)),
      horizon: loaded.horizon, horizonGap: loaded.gap, head: found.tail.position,
      revisionCacheEntries: configuration.revisionCacheEntries)
    let queue = AppendQueue(limit: configuration.queueBytes)
    self.core = core
    self.queue = queue
    self.files = files
    redactor = Redactor(core: core, directory: place, files: files)
    snapshots = SnapshotFiles(storage: place.storage, directory: place.snapshots)
    storage = place.storage
    let notes = [found.note, loaded.gap.map(Self.note)].compactMap(\.self)
    recoveryNote = notes.isEmpty ? nil : notes.joined(separator: "; ")
    core.readOnlyReason.withLock { $0 = found.readOnlyReason }
    let marker = HeadMarker(log: core.log, head: core.head, in: place)
    let newest = found.segments[found.segments.count - 1]
    writer = Lock(
      WriterDrive(isStepped: isStepped, lock: lock) {
        let appender = SegmentAppender(
          directory: place, segmentBytes: configuration.effectiveSegmentBytes, file: found.file,
          segment: newest, tail: found.tail)
        return LogWriter(
          core: core, queue: queue, appender: appender, marker: marker, clock: clock,
          probeMilliseconds: configuration.probeMilliseconds,
          startsReadOnly: found.readOnlyReason)
      })
  }

  /// Without ``close()`` the thread still ends, but nobody waits for it.
  deinit { queue.close() }

  /// Writes what waits, syncs, lets go of the files and the lock. Blocks; not from a completion.
  ///
  /// Where a failed write could not be taken back to the end, its completions are never called:
  /// whether something of it stays is known at the next start only.
  public func close() {
    // While the directory is still locked: another process must not find this one writing.
    redactor.close()
    queue.close()
    writer.withLock { $0.end() }
    files.close()
  }

  /// The writer's next turn; see ``openStepped(directory:configuration:clock:storage:)``. Completions
  /// are called from here.
  package func step() { writer.withLock { $0.step() } }

  /// The log works since it was opened.
  public func start() async {}

  public func stop() async {
    await withCheckedContinuation { continuation in
      // Waiting for the disk would block one of the few threads that all tasks share.
      _ = NamedThread("log-close") { [self] in
        close()
        continuation.resume()
      }
    }
  }
}
