internal import ActorRuntime
internal import Digests
public import EventSourcing

/// Snapshots as files, one a stream. None of them is synced: after a crash its checksum tells
/// whether it is whole. What is wrong with one, the log makes good.
public final class SnapshotFiles: SnapshotStore {
  private let storage: any LogStorage
  private let directory: String
  /// One change at a time, as all files begin under the same name.
  private let removals = Lock<UInt64>(0)

  init(storage: any LogStorage, directory: String) {
    self.storage = storage
    self.directory = directory
  }

  private var temporaryPath: String { directory + "/new" + FileFormat.temporarySuffix }

  private func path(_ stream: StreamID) -> String {
    directory + "/" + FileFormat.snapshotName(of: stream)
  }

  public var removalCount: UInt64 { removals.withLock { $0 } }

  public func load(_ stream: StreamID) throws(SnapshotError) -> Snapshot? {
    let path = path(stream)
    guard let file = try? storage.open(path, .read) else { return nil }
    let bytes: [UInt8]
    do throws(StorageError) {
      let size = try file.size()
      guard size <= SnapshotImage.sizeLimit else {
        throw StorageError(.read, path: path, code: StorageError.tooLarge)
      }
      bytes = try file.bytes(size, at: 0)
    } catch {
      throw SnapshotError("snapshot of \(stream): \(error)")
    }
    do throws(FrameFault) {
      let snapshot = try SnapshotImage.snapshot(bytes)
      guard snapshot.stream == stream else { throw FrameFault("it is another stream's") }
      return snapshot
    } catch {
      throw SnapshotError("snapshot of \(stream): \(error.reason)")
    }
  }

  public func save(_ snapshot: Snapshot, removals known: UInt64) throws(SnapshotError) {
    guard let bytes = SnapshotImage.bytes(of: snapshot) else {
      throw SnapshotError("snapshot of \(snapshot.stream): it is too large")
    }
    try removals.withLock { (removals) throws(SnapshotError) in
      guard removals == known else {
        throw SnapshotError("snapshot of \(snapshot.stream): others were removed meanwhile")
      }
      do throws(StorageError) {
        try write(bytes, as: path(snapshot.stream))
      } catch {
        try? storage.remove(temporaryPath)
        throw SnapshotError("snapshot of \(snapshot.stream): \(error)")
      }
    }
  }

  private func write(_ bytes: [UInt8], as path: String) throws(StorageError) {
    // Someone may have deleted it while the service runs.
    try storage.createDirectory(directory)
    let file = try storage.open(temporaryPath, .create)
    try bytes.withRawBytes { (bytes) throws(StorageError) in try file.write(bytes, at: 0) }
    try storage.rename(temporaryPath, to: path)
  }

  /// Also takes away what a crash left half-made, of whatever stream, and makes both durable.
  public func remove(_ stream: StreamID) throws(SnapshotError) {
    try removals.withLock { (removals) throws(SnapshotError) in
      removals += 1
      do throws(StorageError) {
        for path in [path(stream), temporaryPath] { try remove(path) }
        try storage.syncDirectory(directory)
      } catch {
        if error.isMissing { return }
        throw SnapshotError(error.description)
      }
    }
  }

  private func remove(_ path: String) throws(StorageError) {
    do throws(StorageError) {
      try storage.remove(path)
    } catch {
      // A directory under a snapshot's name is none, and is never read as one.
      if !error.isMissing && !error.isDirectory { throw error }
    }
  }
}
