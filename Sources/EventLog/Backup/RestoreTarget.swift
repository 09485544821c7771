internal import Digests
internal import EventSourcing
internal import Glibc

/// The data directory that a log is restored into.
///
/// A file `restoring` is there before the first segment is, and goes when all of them are there,
/// checked and durable. A service does not start on a directory that holds it.
struct RestoreTarget {
  let directory: LogDirectory

  private var storage: any LogStorage { directory.storage }

  func checkIsEmpty() throws(BackupError) {
    let names: [String]
    do throws(StorageError) {
      names = try storage.list(directory.root)
    } catch {
      if error.code == ENOENT { return }
      throw BackupError(error)
    }
    var own = [LogDirectory.lockName, LogDirectory.headMarkName]
    if names.contains(LogDirectory.restoreMarkName) {
      // Left behind by a restore that was interrupted.
      own += [LogDirectory.restoreMarkName, LogDirectory.logName]
    }
    if let other = names.sorted().first(where: { !own.contains($0) }) {
      throw .notEmpty(directory: directory.root, name: other)
    }
  }

  /// Makes the directory, its log empty, and keeps services and other restores out.
  func prepare() throws(BackupError) -> any StorageLock {
    let lock: any StorageLock
    do throws(StorageError) {
      try storage.createDirectory(directory.root)
      lock = try storage.lock(directory.lock)
    } catch {
      throw error.isHeldElsewhere ? .inUse(directory: directory.root) : BackupError(error)
    }
    // Somebody else may have been here before the lock was taken.
    try checkIsEmpty()
    try mappingBackupErrors { () throws(StorageError) in
      try storage.open(directory.restoreMark, .create).sync()
      try storage.syncDirectory(directory.root)
      try storage.createDirectory(directory.log)
      for name in try storage.list(directory.log) {
        try storage.remove(directory.log + "/" + name)
      }
    }
    return lock
  }

  func create(_ header: SegmentHeader) throws(BackupError) -> SegmentOutput {
    try mappingBackupErrors { () throws(StorageError) in
      var output = SegmentOutput(
        try storage.open(directory.segmentPath(first: header.first), .create))
      try output.append(header)
      return output
    }
  }

  /// Makes the written segments the directory's log, once they read as they were written.
  func publish(_ pass: RestorePass) throws(BackupError) {
    for (index, part) in pass.parts.enumerated() {
      try check(part, before: pass.parts.after(index))
    }
    try mappingBackupErrors { () throws(StorageError) in
      try storage.syncDirectory(directory.log)
      try writeHeadMark(HeadMark(log: pass.log, head: pass.head))
      try storage.syncDirectory(directory.root)
      try storage.remove(directory.restoreMark)
      try storage.syncDirectory(directory.root)
    }
  }

  /// Reads a segment back as a start would.
  private func check(
    _ part: RestorePass.Part, before next: RestorePass.Part?
  ) throws(BackupError) {
    let (header, scan) = try mappingBackupErrors { () throws(StorageError) in
      let file = try storage.open(directory.segmentPath(first: part.header.first), .read)
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
    let file = try storage.open(directory.headMark, .create)
    try mark.encoded().withRawBytes { (bytes) throws(StorageError) in try file.write(bytes, at: 0) }
    try file.sync()
  }
}
