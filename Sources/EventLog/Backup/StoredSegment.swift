internal import Digests
internal import EventSourcing

/// A segment, or the front part of one, of a log that this process does not serve.
struct StoredSegment {
  let header: SegmentHeader
  let path: String
  /// How errors name it.
  let name: String
  /// The file's length, or where to stop at the latest.
  let size: Int
  /// The last position to be read; the one before the first where there is none.
  let last: UInt64
  /// Whether nothing may be behind the last batch.
  let endsWithLast: Bool
  /// Whether a service may be writing to the file, behind `last`, or erasing in it.
  let mayChange: Bool

  /// Checks the segment's digest against what the header of the next segment says of it.
  func check(_ digest: SHA256Digest, before next: StoredSegment?) throws(BackupError) {
    guard let next, digest != next.header.previousDigest else { return }
    throw .log(
      .damaged(
        file: name, offset: SegmentHeader.size, positions: header.first...last,
        reason: "its batches are not those that the next segment's header was made for"))
  }
}
