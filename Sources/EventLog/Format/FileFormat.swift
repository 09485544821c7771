internal import Digests
internal import EventSourcing

/// The bytes of a log, format version 1. All numbers are little endian; `time` is microseconds since
/// 1970-01-01T00:00:00Z; `crc` is CRC-32C (Castagnoli).
///
/// A segment file, `log/<first position, 20 digits>.seg`, is a header block, then batches back to
/// back, then, in the newest segment only, zeros up to the length that was reserved.
///
/// **Segment header**, 4,096 bytes, so that no later write touches a block of it:
///
/// | at | bytes | what |
/// | --- | --- | --- |
/// | 0 | 8 | `SWIPELOG` |
/// | 8 | 4 | format version, 1 |
/// | 12 | 4 | header length, 4096 |
/// | 16 | 16 | log id |
/// | 32 | 8 | first position |
/// | 40 | 8 | first position of the segment before, 0 in the first segment |
/// | 48 | 8 | creation time |
/// | 56 | 8 | time of the record before the first position, the least integer where there is none |
/// | 64 | 32 | SHA-256 digest of the segment before, zeros in the first segment |
/// | 96 | 3996 | zeros |
/// | 4092 | 4 | crc of bytes 0–4091 |
///
/// The digest of a segment is SHA-256 over bytes 32–95 of its header, then the header and trailer
/// bytes of its batches, in order. The trailers hold checksums over the records' checksums, so the
/// digest covers all content, and takes no more than a hop from batch to batch. It covers the digest
/// of the segment before, so it stands for the whole log up to there.
///
/// **Batch**: what was handed to the disk in one write; it lies within one segment.
///
/// | at | bytes | what |
/// | --- | --- | --- |
/// | 0 | 4 | `BTCH` |
/// | 4 | 4 | length of the batch, header and trailer included |
/// | 8 | 8 | position of the first record |
/// | 16 | 8 | the log's durable head when the batch was written |
/// | 24 | 4 | number of records |
/// | 28 | 4 | crc of bytes 0–27 |
/// | 32 | | the records |
/// | length − 12 | 4 | crc over the records' `sealed` fields in order, then bytes 28–31 of the header |
/// | length − 8 | 4 | the length again |
/// | length − 4 | 4 | `DONE`; the last byte is never zero |
///
/// The durable head tells an unfinished write from damage. Batches behind a broken one prove nothing
/// by being there, since a group of batches is synced as one and may reach the disk in any order;
/// but one that was written when the broken batch's positions were durable proves it damaged.
///
/// **Record**:
///
/// | at | bytes | what |
/// | --- | --- | --- |
/// | 0 | 4 | length of the record, all of it |
/// | 4 | 4 | crc of all that follows the next field |
/// | 8 | 4 | sealed: the crc as first written |
/// | 12 | 2 | schema number |
/// | 14 | 1 | flags: bit 0, erased |
/// | 15 | 1 | length of the stream's name |
/// | 16 | 8 | position |
/// | 24 | 8 | revision |
/// | 32 | 8 | time |
/// | 40 | 8 | command key, 0 where the event is no command's last |
/// | 48 | 4 | length of `data` |
/// | 52 | 4 | length of `meta` |
/// | 56 | 2 | length of the type's name |
/// | 58 | 2 | zeros |
/// | 60 | | stream, type, `data`, `meta`, one behind the other |
///
/// `crc` and `sealed` are equal unless the record was erased in place: then `sealed` keeps the
/// batch's and the segment's checksums true.
///
/// **Redo file**, `log/erasure.redo`: see ``RedoFile``. It is there while records are replaced.
///
/// **Index file**, `index/<first position>.idx`: see ``IndexImage``. It is derived from its segment.
///
/// **Snapshot file**, `snapshots/<hash of the stream's name>.snap`: see ``SnapshotImage``. It is
/// derived from its stream's events.
enum FileFormat {
  static let version: UInt32 = 1
  /// What a disk writes whole or not at all.
  static let sectorSize = 512

  /// No log comes this far. A greater number is not the log's, and counting on from it could overflow.
  static let greatestPosition: UInt64 = 1 << 62

  /// Offsets in a segment have 32 bits.
  static let greatestOffset = Int(UInt32.max)

  /// `00000000000000000001.seg`
  static func segmentName(first: UInt64) -> String { digits(first) + segmentSuffix }

  /// `00000000000000000001.idx`
  static func indexName(first: UInt64) -> String { digits(first) + ".idx" }

  /// `0123456789abcdef0123456789abcdef.snap`
  static func snapshotName(of stream: StreamID) -> String {
    Fingerprint(of: stream.description).description + ".snap"
  }

  static let segmentSuffix = ".seg"
  /// See ``RedoFile``.
  static let redoName = "erasure.redo"
  /// Added to the name of a file in the making.
  static let temporarySuffix = ".tmp"

  /// The first position in a segment's name; nil where the name is not one.
  static func firstPosition(ofSegment name: String) -> UInt64? {
    guard name.hasSuffix(segmentSuffix) else { return nil }
    let stem = name.utf8.dropLast(segmentSuffix.utf8.count)
    guard stem.count == 20, stem.allSatisfy({ (48...57).contains($0) }) else { return nil }
    return UInt64(String(decoding: stem, as: UTF8.self))
  }

  private static func digits(_ value: UInt64) -> String {
    let text = String(value)
    return String(repeating: "0", count: 20 - text.utf8.count) + text
  }
}

/// What is wrong with a frame.
struct FrameFault: Error, Equatable {
  let reason: String

  init(_ reason: String) { self.reason = reason }
}
