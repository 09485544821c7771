internal import Digests
internal import EventSourcing

/// The first block of a segment; its layout is in ``FileFormat``.
struct SegmentHeader: Sendable, Equatable {
  static let size = 4096
  private static let magic = Array("SWIPELOG".utf8)
  private static let checksumOffset = size - 4
  private static let chained = 32..<96

  let log: LogID
  let first: UInt64
  /// The first position of the segment before; 0 in the first segment.
  let previousFirst: UInt64
  let created: Int64
  /// The time of the last record before this segment.
  let previousTime: Int64
  let previousDigest: SHA256Digest

  /// What the digest of this segment begins with: the header's part that says which segment this is
  /// and what is before it, the digest of the one before included. So each digest stands for the
  /// whole log up to there. The log id is left out: a restored log has another one.
  var chainHasher: SHA256Hasher {
    var hasher = SHA256Hasher()
    encoded().withRawBytes { hasher.update($0.part(Self.chained)) }
    return hasher
  }

  func encoded() -> [UInt8] {
    [UInt8](zeros: Self.size) { out in
      Self.magic.withUnsafeBytes { out.put($0, at: 0) }
      out.put(FileFormat.version, at: 8)
      out.put(UInt32(Self.size), at: 12)
      log.bytes.withUnsafeBytes { out.put($0, at: 16) }
      out.put(first, at: 32)
      out.put(previousFirst, at: 40)
      out.put(created, at: 48)
      out.put(previousTime, at: 56)
      previousDigest.bytes.withUnsafeBytes { out.put($0, at: 64) }
      let covered = UnsafeRawBufferPointer(rebasing: out[..<Self.checksumOffset])
      out.put(CRC32C.checksum(covered), at: Self.checksumOffset)
    }
  }

  init(
    log: LogID, first: UInt64, previousFirst: UInt64, created: Int64, previousTime: Int64,
    previousDigest: SHA256Digest
  ) {
    self.log = log
    self.first = first
    self.previousFirst = previousFirst
    self.created = created
    self.previousTime = previousTime
    self.previousDigest = previousDigest
  }

  /// The same header in another log.
  func with(log: LogID) -> SegmentHeader {
    SegmentHeader(
      log: log, first: first, previousFirst: previousFirst, created: created,
      previousTime: previousTime, previousDigest: previousDigest)
  }

  init(_ bytes: UnsafeRawBufferPointer) throws(FrameFault) {
    guard bytes.count >= Self.size else { throw FrameFault("the segment's header is cut short") }
    guard bytes.part(0..<8).elementsEqual(Self.magic) else {
      throw FrameFault("this is no segment of a log")
    }
    let checksum = CRC32C.checksum(bytes.part(0..<Self.checksumOffset))
    guard checksum == bytes.number(at: Self.checksumOffset) else {
      throw FrameFault("the segment's header does not match its checksum")
    }
    let version: UInt32 = bytes.number(at: 8)
    guard version == FileFormat.version else {
      throw FrameFault("the segment has format version \(version), this program knows 1")
    }
    log = LogID(bytes: Array(bytes.part(16..<32)))
    first = bytes.number(at: 32)
    previousFirst = bytes.number(at: 40)
    created = bytes.number(at: 48)
    previousTime = bytes.number(at: 56)
    previousDigest = SHA256Digest(bytes: Array(bytes.part(64..<96)))
    guard 1...FileFormat.greatestPosition ~= first, previousFirst < first else {
      throw FrameFault("the segment's first position is impossible")
    }
  }
}
