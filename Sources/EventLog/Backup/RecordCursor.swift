internal import EventSourcing

/// A stored log's records one after the other, each checked.
final class RecordCursor {
  private let segments: [StoredSegment]
  private let storage: any LogStorage
  private var index = -1
  private var walk: BatchWalk?
  private var batch: BatchWalk.Batch?
  private var next: UInt64 = 0
  private var offset = 0

  init(_ segments: [StoredSegment], storage: any LogStorage) {
    self.segments = segments
    self.storage = storage
  }

  /// The record at a position; nil behind the log's end. Positions are asked for in order. Valid
  /// until the next call.
  func record(at position: UInt64) throws(BackupError) -> UnsafeRawBufferPointer? {
    while try reach(position) {
      guard let bytes = batch?.bytes else { break }
      let length = Int(bytes.number(at: offset, as: UInt32.self))
      let record = bytes.part(offset..<offset + length)
      offset += length
      next += 1
      if next > position { return record }
    }
    return nil
  }

  /// Whether there is a record before or at `position` that was not looked at.
  private func reach(_ position: UInt64) throws(BackupError) -> Bool {
    while batch.map({ next > $0.header.positions.upperBound }) ?? true {
      if let following = try walk?.next() {
        batch = following
        next = following.header.first
        offset = BatchHeader.size
        continue
      }
      index += 1
      guard index < segments.count else { return false }
      walk = try BatchWalk(segments[index], storage: storage)
    }
    return next <= position
  }
}
