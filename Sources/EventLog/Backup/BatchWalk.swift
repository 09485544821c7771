internal import Digests
internal import EventSourcing
internal import Glibc

/// A stored segment's batches one after the other, each checked in full before it is given out.
///
/// The segment may be one that a service is using. What is looked at is durable and stays, except
/// that an erasure may be writing into a record: a batch that is not right is read again a few times
/// before it counts as damaged.
final class BatchWalk {
  struct Batch {
    let header: BatchHeader
    /// Where it begins in the file.
    let offset: Int
    /// Valid until the next batch is read.
    let bytes: UnsafeRawBufferPointer

    /// Its records' times, in order.
    var times: [Int64] {
      var times: [Int64] = []
      var offset = BatchHeader.size
      for _ in 0..<header.count {
        times.append(bytes.number(at: offset + RecordFrame.timeOffset))
        offset += Int(bytes.number(at: offset, as: UInt32.self))
      }
      return times
    }
  }

  private static let attempts = 10
  private static let pauseMicroseconds: UInt32 = 10_000

  let segment: StoredSegment
  private let window: FileWindow
  /// Where the last batch ends.
  private(set) var end = SegmentHeader.size
  /// The last position.
  private(set) var position: UInt64
  /// The last record's time.
  private(set) var time: Int64
  private var chain: SHA256Hasher

  /// The segment's digest as far as it was read.
  var digest: SHA256Digest { chain.digest() }

  init(_ segment: StoredSegment, storage: any LogStorage) throws(BackupError) {
    self.segment = segment
    window = try mappingBackupErrors { () throws(StorageError) in
      let file = try storage.openSettled(segment.path, segment: segment.header.first)
      return FileWindow(file, size: segment.size)
    }
    position = segment.header.first - 1
    time = segment.header.previousTime
    chain = segment.header.chainHasher
  }

  /// The next batch; nil behind the segment's last one.
  func next() throws(BackupError) -> Batch? {
    if position == segment.last { return try checkEnd() }
    var attempt = 1
    while true {
      do throws(FrameFault) {
        return try take()
      } catch {
        if attempt == Self.attempts || !segment.mayChange { throw damage(error.reason) }
        attempt += 1
      }
      usleep(Self.pauseMicroseconds)
      window.forget()
    }
  }

  private func take() throws(FrameFault) -> Batch {
    guard let header = BatchHeader(try bytes(BatchHeader.size)), header.first == position + 1 else {
      throw FrameFault("a batch is missing or its header does not match its checksum")
    }
    guard header.positions.upperBound <= segment.last else {
      throw FrameFault("a batch goes beyond position \(segment.last), the last one here")
    }
    let batch = try bytes(Int(header.length))
    guard batch.count == Int(header.length) else { throw FrameFault("a batch is cut short") }
    var time = time
    try header.check(batch) { (record, _) throws(FrameFault) in
      guard record.time >= time else { throw FrameFault("a record's time goes backwards") }
      time = record.time
    }
    self.time = time
    chain.update(batch.part(0..<BatchHeader.size))
    chain.update(batch.part(batch.count - BatchTrailer.size..<batch.count))
    let offset = end
    end += batch.count
    position = header.positions.upperBound
    return Batch(header: header, offset: offset, bytes: batch)
  }

  /// What could not be read is not there.
  private func bytes(_ count: Int) throws(FrameFault) -> UnsafeRawBufferPointer {
    do throws(StorageError) {
      return try window.bytes(end..<end + count)
    } catch {
      throw FrameFault(error.description)
    }
  }

  private func checkEnd() throws(BackupError) -> Batch? {
    guard segment.endsWithLast, end != segment.size else { return nil }
    throw .log(
      .damaged(
        file: segment.name, offset: end, positions: nil,
        reason: "its last batch should end where the file does, at \(segment.size)"))
  }

  /// What is wrong at the place that was reached.
  private func damage(_ reason: String) -> BackupError {
    let header = (try? window.bytes(end..<end + BatchHeader.size)).flatMap { BatchHeader($0) }
    return .log(
      .damaged(
        file: segment.name, offset: end,
        positions: header?.positions ?? position + 1...position + 1, reason: reason))
  }
}
