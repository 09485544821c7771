internal import Digests
internal import EventSourcing

/// One reading of all that a restore takes from a backup, everything checked: a first one that
/// writes nothing, and a second one that writes the log.
struct RestorePass {
  /// A segment of the restored log.
  struct Part {
    let header: SegmentHeader
    let length: Int
    let last: UInt64
  }

  let backup: StoredBackup
  let stop: RestoreStop
  let erasures: LaterErasures?
  /// Makes the file of a segment with this header; nil where nothing is written.
  let create: ((SegmentHeader) throws(BackupError) -> SegmentOutput)?
  /// The restored log's id.
  let log: LogID

  private(set) var parts: [Part] = []
  private(set) var lastTime = Int64.min
  private var isStopped = false

  var head: UInt64 { parts.last?.last ?? 0 }

  init(
    backup: StoredBackup, stop: RestoreStop, erasures: LaterErasures?, log: LogID,
    create: ((SegmentHeader) throws(BackupError) -> SegmentOutput)?
  ) {
    self.backup = backup
    self.stop = stop
    self.erasures = erasures
    self.log = log
    self.create = create
  }

  mutating func run() throws(BackupError) {
    for index in backup.segments.indices {
      // The first segment there is always, if only with its header.
      if isStopped || (index > 0 && stop.isBefore(backup.segments[index].header)) { return }
      try take(index)
    }
  }

  private mutating func take(_ index: Int) throws(BackupError) {
    let source = backup.segments[index]
    let walk = try BatchWalk(source, storage: backup.directory.storage)
    let header = source.header.with(log: log)
    var content = SHA256Hasher()
    source.header.encoded().withRawBytes { content.update($0) }
    var output = try create?(header)
    var length = SegmentHeader.size
    var last = source.header.first - 1
    while !(isStopped || (stop.isReached(at: walk.position) && walk.position < source.last)) {
      guard let batch = try backup.naming({ () throws(BackupError) in try walk.next() }) else {
        try check(walk, content.digest(), against: backup.manifest.segments[index])
        break
      }
      content.update(batch.bytes)
      let count = stop.count(in: batch)
      isStopped = count < batch.header.count
      if count == 0 { break }
      let taken = try records(count, of: batch)
      try taken.withRawBytes { bytes throws(BackupError) in
        do throws(StorageError) {
          try output?.append(bytes)
        } catch {
          throw BackupError(error)
        }
      }
      lastTime = batch.times[count - 1]
      length += taken.count
      last = batch.header.first + UInt64(count) - 1
    }
    isStopped = isStopped || walk.position < source.last
    try mappingBackupErrors { () throws(StorageError) in try output?.finish() }
    parts.append(Part(header: header, length: length, last: last))
  }

  private func records(
    _ count: Int, of batch: BatchWalk.Batch
  ) throws(BackupError) -> [UInt8] {
    var bytes = Array(batch.bytes)
    if let erasures {
      var result = Result<Void, BackupError>.success(())
      bytes.withUnsafeMutableBytes { bytes in
        do throws(BackupError) {
          try erasures.apply(to: bytes, first: batch.header.first, count: count)
        } catch {
          result = .failure(error)
        }
      }
      try result.get()
    }
    if count == batch.header.count { return bytes }
    return bytes.withRawBytes { BatchCut.front(of: $0, header: batch.header, count: count) }
  }

  private func check(
    _ walk: BatchWalk, _ content: SHA256Digest, against entry: BackupManifest.Segment
  ) throws(BackupError) {
    guard walk.digest == entry.chain, content == entry.content else {
      throw .damaged(
        directory: backup.directory.root,
        reason: "\(entry.file), positions \(entry.first) to \(entry.last): its content is not what "
          + "the manifest was made for")
    }
  }
}
