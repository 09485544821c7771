internal import Digests
internal import EventSourcing

/// What a newer log, or a newer backup, knows to be erased, put into the batches of an older backup.
///
/// An erased record takes as many bytes as before and keeps the checksum that it was first written
/// with. So the newer log's record takes the older one's place, and nothing else changes.
final class LaterErasures {
  private let name: String
  private let cursor: RecordCursor
  /// How many records were erased that had not been in the backup.
  private(set) var count = 0

  /// - Parameter name: how errors name the newer log.
  init(_ segments: [StoredSegment], name: String, storage: any LogStorage) {
    self.name = name
    cursor = RecordCursor(segments, storage: storage)
  }

  /// Puts erased records into the first `count` records of a batch.
  ///
  /// - Throws: where the newer log's history is another one.
  func apply(
    to batch: UnsafeMutableRawBufferPointer, first: UInt64, count: Int
  ) throws(BackupError) {
    var offset = BatchHeader.size
    for position in first..<first + UInt64(count) {
      guard let newer = try cursor.record(at: position) else { return }
      let length = Int(UnsafeRawBufferPointer(batch).number(at: offset, as: UInt32.self))
      let own = UnsafeMutableRawBufferPointer(rebasing: batch[offset..<offset + length])
      guard RecordFrame.areOneRecord(UnsafeRawBufferPointer(own), newer) else {
        throw .otherErasures(directory: name, position: position)
      }
      if RecordFrame.isErased(newer), !own.elementsEqual(newer) {
        own.copyMemory(from: newer)
        self.count += 1
      }
      offset += length
    }
  }
}

extension RecordFrame {
  /// Whether two whole records are the same one, apart from what was erased in either.
  fileprivate static func areOneRecord(
    _ a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer
  ) -> Bool {
    let numbers = flagsOffset + 1..<size
    return a.count == b.count && a.part(sealedRange).elementsEqual(b.part(sealedRange))
      && a.part(numbers).elementsEqual(b.part(numbers))
  }
}
