internal import EventSourcing
internal import Glibc

/// The places in a backup, and how a new state of it takes the old one's place.
///
/// ```
/// B/backup.json                 the manifest, which names the files that count
/// B/segments/<first>.seg        bytes behind the length in the manifest do not count
/// B/segments/<first>.<n>.seg    the same after an erasure had changed it
/// B/lock
/// ```
///
/// No byte that the manifest covers is ever changed, so until the next manifest is in place the old
/// one is good.
struct BackupDirectory {
  static let manifestName = "backup.json"
  private static let lockName = "lock"
  private static let segmentsName = "segments"

  let storage: any LogStorage
  let root: String

  var manifest: String { root + "/" + Self.manifestName }
  var segments: String { root + "/" + Self.segmentsName }

  func path(of file: String) -> String { segments + "/" + file }

  /// The name of a segment's file; another `generation` is another file.
  static func file(first: UInt64, generation: Int) -> String {
    let name = FileFormat.segmentName(first: first)
    if generation == 0 { return name }
    return name.dropLast(FileFormat.segmentSuffix.count) + ".\(generation)"
      + FileFormat.segmentSuffix
  }

  /// The first position of the segment in a file; nil where the name is none that a backup gives.
  static func first(of file: String) -> UInt64? {
    guard let generation = generation(of: file),
      let first = FileFormat.firstPosition(
        ofSegment: file.prefix(20) + FileFormat.segmentSuffix),
      self.file(first: first, generation: generation) == file
    else { return nil }
    return first
  }

  /// Which of a segment's files it is.
  static func generation(of file: String) -> Int? {
    let parts = file.split(separator: ".", omittingEmptySubsequences: false)
    if parts.count == 2 { return 0 }
    return parts.count == 3 ? Int(parts[1]) : nil
  }

  /// Takes the lock, in a directory that is made if need be.
  ///
  /// - Throws: where the directory holds anything but a backup.
  func prepare() throws(BackupError) -> any StorageLock {
    try checkContents()
    do throws(StorageError) {
      try storage.createDirectory(root)
      try storage.createDirectory(segments)
      return try storage.lock(root + "/" + Self.lockName)
    } catch {
      throw error.isHeldElsewhere ? .busy(directory: root) : BackupError(error)
    }
  }

  private func checkContents() throws(BackupError) {
    let names: [String]
    do throws(StorageError) {
      names = try storage.list(root)
    } catch {
      if error.code == ENOENT { return }
      throw BackupError(error)
    }
    if names.contains(Self.manifestName) { return }
    let own = [Self.lockName, Self.segmentsName, Self.manifestName + FileFormat.temporarySuffix]
    if let other = names.sorted().first(where: { !own.contains($0) }) {
      throw .notABackup(directory: root, name: other)
    }
  }

  /// Keeps a backup from changing while it is read. One that cannot be written to needs no lock.
  func lockForReading() throws(BackupError) -> (any StorageLock)? {
    do throws(StorageError) {
      return try storage.lock(root + "/" + Self.lockName)
    } catch {
      if error.isHeldElsewhere { throw .busy(directory: root) }
      return nil
    }
  }

  /// What the backup consists of; nil where there is none.
  func read() throws(BackupError) -> BackupManifest? {
    let bytes: [UInt8]
    do throws(StorageError) {
      let file = try storage.open(manifest, .read)
      bytes = try file.bytes(try file.size(), at: 0)
    } catch {
      if error.operation == .open, error.isMissing { return nil }
      throw BackupError(error)
    }
    do throws(FrameFault) {
      return try BackupManifest(bytes)
    } catch {
      throw .damaged(directory: root, reason: error.reason)
    }
  }

  /// Puts a new manifest in the old one's place, and takes away what does not count any more.
  func replace(with manifest: BackupManifest) throws(StorageError) {
    try storage.syncDirectory(segments)
    let temporary = self.manifest + FileFormat.temporarySuffix
    let file = try storage.open(temporary, .create)
    try manifest.encoded().withRawBytes { (bytes) throws(StorageError) in
      try file.write(bytes, at: 0)
    }
    try file.sync()
    try storage.rename(temporary, to: self.manifest)
    try storage.syncDirectory(root)
    try removeFiles(besides: manifest)
  }

  /// Removes segment files that a manifest does not name: older ones, and those of a run that was
  /// interrupted. They may hold text that is erased by now.
  func removeFiles(besides manifest: BackupManifest?) throws(StorageError) {
    let kept = Set(manifest?.segments.map(\.file) ?? [])
    var isChanged = false
    for file in try storage.list(segments)
    where Self.first(of: file) != nil && !kept.contains(file) {
      try storage.remove(path(of: file))
      isChanged = true
    }
    if isChanged { try storage.syncDirectory(segments) }
  }
}
