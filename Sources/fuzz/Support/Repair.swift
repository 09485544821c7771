internal import Digests

@testable import EventLog

/// Puts right what a mutation cannot: magic numbers, checksums, and lengths that are said twice.
enum Repair {
  /// A segment header's bytes 8–95, which are all that it says, as a whole header block.
  static func header(_ fields: some Sequence<UInt8>) -> [UInt8] {
    var block = Array("SWIPELOG".utf8) + fields
    block += [UInt8](repeating: 0, count: SegmentHeader.size - block.count)
    block.withUnsafeMutableBytes { block in
      block.put(FileFormat.version, at: 8)
      block.put(UInt32(SegmentHeader.size), at: 12)
    }
    closeHeader(&block)
    return block
  }

  static func closeHeader(_ block: inout [UInt8]) {
    let end = SegmentHeader.size - 4
    let checksum = block.withRawBytes { CRC32C.checksum($0.part(0..<end)) }
    block.withUnsafeMutableBytes { $0.put(checksum, at: end) }
  }

  /// The batches from `start` on, as far as their lengths lead.
  static func batches(_ file: inout [UInt8], from start: Int) {
    file.withUnsafeMutableBytes { file in
      var offset = start
      while offset + BatchHeader.size + BatchTrailer.size <= file.count {
        let rest = UnsafeMutableRawBufferPointer(rebasing: file[offset...])
        let length = Int(UnsafeRawBufferPointer(rest).number(at: 4, as: UInt32.self))
        guard length >= BatchHeader.size + BatchTrailer.size, length <= rest.count else { return }
        batch(UnsafeMutableRawBufferPointer(rebasing: rest[..<length]))
        offset += length
      }
    }
  }

  private static func batch(_ batch: UnsafeMutableRawBufferPointer) {
    let bytes = UnsafeRawBufferPointer(batch)
    "BTCH".utf8CString.withUnsafeBytes { batch.put($0.part(0..<4), at: 0) }
    batch.put(CRC32C.checksum(bytes.part(0..<28)), at: 28)
    let end = batch.count - BatchTrailer.size
    var chain: UInt32 = 0
    var offset = BatchHeader.size
    while offset + RecordFrame.size <= end {
      let length = Int(bytes.number(at: offset, as: UInt32.self))
      guard length >= RecordFrame.size, length <= end - offset else { break }
      record(UnsafeMutableRawBufferPointer(rebasing: batch[offset..<offset + length]))
      chain = CRC32C.checksum(bytes.part(offset + 8..<offset + 12), seed: chain)
      offset += length
    }
    BatchTrailer.write(chain: chain, length: UInt32(batch.count), to: batch)
  }

  /// The record that fills `record`.
  static func record(_ record: UnsafeMutableRawBufferPointer) {
    let bytes = UnsafeRawBufferPointer(record)
    record.put(UInt32(record.count), at: 0)
    let checksum = CRC32C.checksum(bytes.part(12..<record.count))
    record.put(checksum, at: 4)
    // An erased record keeps the checksum that it was sealed with.
    if bytes[14] & RecordFrame.erasedFlag == 0 { record.put(checksum, at: 8) }
  }
}
