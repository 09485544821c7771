internal import Digests
internal import EventSourcing

/// A backup's manifest and segments, ready to be read.
struct StoredBackup {
  let directory: BackupDirectory
  let manifest: BackupManifest
  let segments: [StoredSegment]

  /// Reads all headers and checks them against one another and the manifest.
  init(_ directory: BackupDirectory) throws(BackupError) {
    guard let manifest = try directory.read() else { throw .noBackup(directory: directory.root) }
    self.directory = directory
    self.manifest = manifest
    var segments: [StoredSegment] = []
    for index in manifest.segments.indices {
      segments.append(try Self.segment(index, of: manifest, in: directory))
    }
    self.segments = segments
  }

  private static func segment(
    _ index: Int, of manifest: BackupManifest, in directory: BackupDirectory
  ) throws(BackupError) -> StoredSegment {
    let entry = manifest.segments[index]
    let previous = index > 0 ? manifest.segments[index - 1] : nil
    let path = directory.path(of: entry.file)
    let bytes = try mappingBackupErrors { () throws(StorageError) in
      try directory.storage.open(path, .read).bytes(SegmentHeader.size, at: 0)
    }
    let header: SegmentHeader
    do throws(FrameFault) {
      header = try bytes.withRawBytes { bytes throws(FrameFault) in try SegmentHeader(bytes) }
    } catch {
      throw .damaged(directory: directory.root, reason: "\(entry.file), offset 0: \(error.reason)")
    }
    guard header.log == manifest.log, header.first == entry.first,
      header.previousFirst == previous?.first ?? 0,
      header.previousDigest == previous?.chain ?? .zero
    else {
      throw .damaged(
        directory: directory.root,
        reason: "\(entry.file), offset 0: the segment's header is not that of the manifest")
    }
    return StoredSegment(
      header: header, path: path, name: entry.file, size: entry.length, last: entry.last,
      endsWithLast: true, mayChange: false)
  }

  /// Runs `body`; what it finds damaged is damaged in this backup.
  func naming<Value>(_ body: () throws(BackupError) -> Value) throws(BackupError) -> Value {
    do throws(BackupError) {
      return try body()
    } catch {
      guard case .log(.damaged(let file, let offset, let positions, let reason)) = error else {
        throw error
      }
      let range = positions.map { ", positions \($0.lowerBound) to \($0.upperBound)" } ?? ""
      throw .damaged(
        directory: directory.root,
        reason: "\(EventLogError.place(file: file, offset: offset))\(range): \(reason)")
    }
  }
}
