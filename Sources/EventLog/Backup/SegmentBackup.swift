internal import Digests
internal import EventSourcing

/// Brings a backup's copy of one segment up to date.
///
/// All of the source is read, checked and hashed; only what the backup does not have is written. So
/// whatever an erasure changed in a segment that was copied long ago is noticed, and so is damage.
struct SegmentBackup {
  enum Result: Equatable {
    case unchanged, copied, extended, replaced
  }

  struct Copy {
    let segment: BackupManifest.Segment
    let result: Result
    let written: Int
    let lastTime: Int64
  }

  let source: StoredSegment
  /// What the backup has of the segment.
  let known: BackupManifest.Segment?
  let directory: BackupDirectory

  func run() throws(BackupError) -> Copy {
    guard let known else { return try copyAll(generation: 0, .copied) }
    if let copy = try extend(known) { return copy }
    let generation = BackupDirectory.generation(of: known.file) ?? 0
    return try copyAll(generation: generation + 1, .replaced)
  }

  private func copyAll(generation: Int, _ result: Result) throws(BackupError) -> Copy {
    let file = BackupDirectory.file(first: source.header.first, generation: generation)
    var pass = try SegmentPass(source, storage: directory.storage)
    try mappingBackupErrors { () throws(StorageError) in
      var output = SegmentOutput(try directory.storage.open(directory.path(of: file), .create))
      try output.append(source.header)
      pass.output = output
    }
    while try pass.advance() {}
    try pass.finish()
    return copy(pass, file: file, result)
  }

  /// Adds what is new to the file that is there; nil where that has to be made anew.
  private func extend(_ known: BackupManifest.Segment) throws(BackupError) -> Copy? {
    let path = directory.path(of: known.file)
    guard let file = try? directory.storage.open(path, .write),
      let size = try? file.size(), size >= known.length
    else { return nil }
    var pass = try SegmentPass(source, storage: directory.storage)
    while pass.walk.end < known.length, try pass.advance() {}
    guard pass.walk.end == known.length, pass.walk.digest == known.chain else {
      throw .otherHistory(directory: directory.root, position: known.last)
    }
    guard pass.content.digest() == known.content, isSound(file, known) else { return nil }
    let isUnchanged = pass.walk.position == source.last
    if !isUnchanged || size > known.length {
      // What is behind is of a run that was interrupted.
      pass.output = SegmentOutput(file, at: known.length)
    }
    while try pass.advance() {}
    try pass.finish()
    return copy(pass, file: known.file, isUnchanged ? .unchanged : .extended)
  }

  /// Whether the copy still is what was written: bits rot in backups, too.
  private func isSound(_ file: any LogFile, _ known: BackupManifest.Segment) -> Bool {
    let window = FileWindow(file, size: known.length)
    var content = SHA256Hasher()
    var offset = 0
    while offset < known.length {
      guard let piece = try? window.bytes(offset..<min(offset + (1 << 20), known.length)),
        !piece.isEmpty
      else { return false }
      content.update(piece)
      offset += piece.count
    }
    return content.digest() == known.content
  }

  private func copy(_ pass: SegmentPass, file: String, _ result: Result) -> Copy {
    let segment = BackupManifest.Segment(
      first: source.header.first, last: pass.walk.position, file: file, length: pass.walk.end,
      content: pass.content.digest(), chain: pass.walk.digest)
    return Copy(
      segment: segment, result: result, written: pass.output?.written ?? 0,
      lastTime: pass.walk.time)
  }
}

/// One reading of a segment that hashes it, and writes it where there is an output.
private struct SegmentPass {
  let walk: BatchWalk
  var content = SHA256Hasher()
  var output: SegmentOutput?

  init(_ source: StoredSegment, storage: any LogStorage) throws(BackupError) {
    walk = try BatchWalk(source, storage: storage)
    source.header.encoded().withRawBytes { content.update($0) }
  }

  /// Takes the next batch; false behind the last one.
  mutating func advance() throws(BackupError) -> Bool {
    guard let batch = try walk.next() else { return false }
    content.update(batch.bytes)
    do throws(StorageError) {
      try output?.append(batch.bytes)
    } catch {
      throw BackupError(error)
    }
    return true
  }

  mutating func finish() throws(BackupError) {
    do throws(StorageError) {
      try output?.finish()
    } catch {
      throw BackupError(error)
    }
  }
}
