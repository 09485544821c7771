internal import Digests
internal import EventSourcing

/// Writes a part of the log anew: as one segment, or as several where one would grow too large.
final class SegmentSeries {
  /// What the header of the next segment says of the one before it.
  struct End {
    var first: UInt64 = 0
    var time = Int64.min
    var digest = SHA256Digest.zero
  }

  private let directory: LogDirectory
  private let limit: Int
  private var header: SegmentHeader
  private var file: any LogFile
  private var builder: SegmentBuilder
  /// The segments' names once they are in their places.
  private(set) var names: [String]

  /// - Parameter limit: no segment takes more bytes, unless a single record does.
  init(
    in directory: LogDirectory, header: SegmentHeader, limit: Int
  ) throws(StorageError) {
    self.directory = directory
    self.limit = limit
    self.header = header
    file = try Self.create(header, in: directory)
    builder = try SegmentBuilder(file, header: header)
    names = [FileFormat.segmentName(first: header.first)]
  }

  private static func create(
    _ header: SegmentHeader, in directory: LogDirectory
  ) throws(StorageError) -> any LogFile {
    try directory.storage.open(
      directory.segmentPath(first: header.first) + RepairJournal.madeSuffix, .create)
  }

  /// The position of the next record.
  var next: UInt64 { builder.next }

  func add(_ record: RecordFrame, _ bytes: UnsafeRawBufferPointer) throws(StorageError) {
    try makeRoom(for: bytes.count)
    try builder.add(record, bytes)
  }

  func add(_ lost: LostRecords.Name, reason: String) throws(StorageError) {
    let parts = SegmentBuilder.parts(of: lost, reason: reason)
    try makeRoom(
      for: RecordFrame.length(
        stream: parts[0].count, type: parts[1].count, data: parts[2].count, meta: parts[3].count))
    try builder.add(lost, parts)
  }

  private func makeRoom(for length: Int) throws(StorageError) {
    guard builder.next > header.first, builder.size + length > limit else { return }
    let end = try finish()
    header = SegmentHeader(
      log: header.log, first: builder.next, previousFirst: end.first, created: header.created,
      previousTime: end.time, previousDigest: end.digest)
    file = try Self.create(header, in: directory)
    builder = try SegmentBuilder(file, header: header)
    names.append(FileFormat.segmentName(first: header.first))
  }

  /// Makes the last segment durable.
  func finish() throws(StorageError) -> End {
    try builder.finishBatch()
    try file.sync()
    return End(first: header.first, time: builder.lastTime, digest: builder.digest)
  }
}
