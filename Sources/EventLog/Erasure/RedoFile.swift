internal import Digests
internal import EventSourcing

/// The redo file, `log/erasure.redo`: the records that are about to be written over others.
///
/// A write over a record may stop half-way, and then the record is neither old nor new. So all the
/// new records are durable in this file before the first one is written to its place, and the file
/// goes only when they are durable there too. A start that finds it whole writes them again. It
/// holds new text only, never what is erased.
///
/// | at | bytes | what |
/// | --- | --- | --- |
/// | 0 | 8 | `SWIPREDO` |
/// | 8 | 4 | version, 1 |
/// | 12 | 4 | crc of all that follows |
/// | 16 | 16 | log id |
/// | 32 | 8 | length of the file |
/// | 40 | 8 | number of records |
/// | 48 | | for each: first position of its segment (8), offset there (8), the record |
struct RedoFile: Equatable {
  private static let magic = Array("SWIPREDO".utf8)
  private static let version: UInt32 = 1
  private static let headerSize = 48
  private static let coveredOffset = 16
  private static let entrySize = 16

  let log: LogID
  let records: [ReplacedRecord]

  init(log: LogID, records: [ReplacedRecord]) {
    self.log = log
    self.records = records
  }

  func encoded() -> [UInt8] {
    let length = records.reduce(Self.headerSize) { $0 + Self.entrySize + $1.bytes.count }
    return [UInt8](zeros: length) { out in
      Self.magic.withUnsafeBytes { out.put($0, at: 0) }
      out.put(Self.version, at: 8)
      log.bytes.withUnsafeBytes { out.put($0, at: 16) }
      out.put(UInt64(length), at: 32)
      out.put(UInt64(records.count), at: 40)
      var offset = Self.headerSize
      for record in records {
        out.put(record.segment, at: offset)
        out.put(UInt64(record.offset), at: offset + 8)
        record.bytes.withUnsafeBytes { out.put($0, at: offset + Self.entrySize) }
        offset += Self.entrySize + record.bytes.count
      }
      let covered = UnsafeRawBufferPointer(out).part(Self.coveredOffset..<length)
      out.put(CRC32C.checksum(covered), at: 12)
    }
  }

  /// Nil where the bytes are not a whole redo file.
  init?(_ bytes: UnsafeRawBufferPointer) {
    guard bytes.count >= Self.headerSize, bytes.part(0..<8).elementsEqual(Self.magic),
      bytes.number(at: 8) == Self.version, bytes.number(at: 32) == UInt64(bytes.count),
      CRC32C.checksum(bytes.part(Self.coveredOffset..<bytes.count)) == bytes.number(at: 12)
    else { return nil }
    var records: [ReplacedRecord] = []
    var offset = Self.headerSize
    while offset < bytes.count {
      guard let record = Self.record(bytes, at: offset) else { return nil }
      records.append(record)
      offset += Self.entrySize + record.bytes.count
    }
    guard bytes.number(at: 40) == UInt64(records.count) else { return nil }
    self.init(log: LogID(bytes: Array(bytes.part(16..<32))), records: records)
  }

  private static func record(_ bytes: UnsafeRawBufferPointer, at offset: Int) -> ReplacedRecord? {
    let start = offset + entrySize
    guard start + RecordFrame.size <= bytes.count,
      let place = Int(exactly: bytes.number(at: offset + 8, as: UInt64.self)), place < 1 << 40
    else { return nil }
    let length = Int(bytes.number(at: start, as: UInt32.self))
    guard length >= RecordFrame.size, length <= bytes.count - start else { return nil }
    return ReplacedRecord(
      segment: bytes.number(at: offset), offset: place,
      bytes: Array(bytes.part(start..<start + length)))
  }
}
