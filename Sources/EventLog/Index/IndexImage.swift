internal import Digests
internal import EventSourcing

/// A sealed segment's index as bytes: what is in an index file.
///
/// Header, 256 bytes (numbers little endian): at 0 `SWIPEIDX`; 8 version (4 bytes); 16 log id (16);
/// 32 first position (8); 40 number of records (8); 48 length of the segment (8); 56 time of the
/// first record (8); 64 time of the last (8); 72 digest of the segment (32); 104 the four sections,
/// 24 bytes each: offset in the file (8), length (8), CRC-32C (4), zeros (4); at 252 CRC-32C of what
/// is before it. A header that does not fit its segment makes the file worthless; so does a section
/// that does not match its checksum. Either is then made again from the segment.
struct IndexImage {
  enum Section: Int, CaseIterable {
    /// Each record's offset in the segment, 4 bytes.
    case offsets
    /// 24 bytes a stream, sorted by hash: hash (8), last revision (8), place of its first posting
    /// (4), number of postings (4).
    case streams
    /// Ordinals of each stream's records, 4 bytes each.
    case postings
    /// 12 bytes a command, in log order: key (8), ordinal (4).
    case commands
  }

  static let version: UInt32 = 1
  static let headerSize = 256
  static let streamSize = 24
  static let commandSize = 12
  static let magic = Array("SWIPEIDX".utf8)

  let header: [UInt8]
  let sections: [IndexSection]

  subscript(section: Section) -> IndexSection { sections[section.rawValue] }

  init(
    of live: LiveIndex, log: LogID, first: UInt64, seal: Segment.Seal, hash: StreamHash
  ) {
    let sections = Self.sections(of: live, hash: hash)
    self.sections = sections.map(IndexSection.init)
    header = [UInt8](zeros: Self.headerSize) { out in
      Self.putIdentity(log: log, first: first, seal: seal, to: out)
      out.put(live.firstTime, at: 56)
      out.put(live.lastTime, at: 64)
      var offset = Self.headerSize
      for (index, section) in sections.enumerated() {
        let entry = Self.tableEntry(index)
        out.put(UInt64(offset), at: entry)
        out.put(UInt64(section.count), at: entry + 8)
        out.put(section.withRawBytes { CRC32C.checksum($0) }, at: entry + 16)
        offset += section.count
      }
      let covered = UnsafeRawBufferPointer(rebasing: out[..<(Self.headerSize - 4)])
      out.put(CRC32C.checksum(covered), at: Self.headerSize - 4)
    }
  }

  /// Where a section's entry is in the header.
  static func tableEntry(_ section: Int) -> Int { 104 + section * 24 }

  /// What ties an index to one segment with one content.
  static func putIdentity(
    log: LogID, first: UInt64, seal: Segment.Seal, to out: UnsafeMutableRawBufferPointer
  ) {
    magic.withUnsafeBytes { out.put($0, at: 0) }
    out.put(version, at: 8)
    log.bytes.withUnsafeBytes { out.put($0, at: 16) }
    out.put(first, at: 32)
    out.put(UInt64(seal.count), at: 40)
    out.put(UInt64(seal.length), at: 48)
    seal.digest.bytes.withUnsafeBytes { out.put($0, at: 72) }
  }

  private static func sections(of live: LiveIndex, hash: StreamHash) -> [[UInt8]] {
    let streams = live.streams
      .map { (hash: hash.value(of: $0.stream), name: $0.stream.description, postings: $0.postings) }
      .sorted { ($0.hash, $0.name) < ($1.hash, $1.name) }
    let offsets = [UInt8](zeros: live.count * 4) { out in
      for (index, offset) in live.offsets.enumerated() { out.put(offset, at: index * 4) }
    }
    var start = 0
    var postings = [UInt8](repeating: 0, count: live.count * 4)
    let table = [UInt8](zeros: streams.count * streamSize) { out in
      for (index, stream) in streams.enumerated() {
        let entry = index * streamSize
        out.put(stream.hash, at: entry)
        out.put(stream.postings.lastRevision, at: entry + 8)
        out.put(UInt32(start), at: entry + 16)
        out.put(UInt32(stream.postings.ordinals.count), at: entry + 20)
        postings.withUnsafeMutableBytes { out in
          for ordinal in stream.postings.ordinals {
            out.put(ordinal, at: start * 4)
            start += 1
          }
        }
      }
    }
    let commands = [UInt8](zeros: live.commands.count * commandSize) { out in
      for (index, command) in live.commands.enumerated() {
        out.put(command.key, at: index * commandSize)
        out.put(command.ordinal, at: index * commandSize + 8)
      }
    }
    return [offsets, table, postings, commands]
  }
}

/// The number that a stream is found by in an index; two streams may share one.
struct StreamHash: Sendable {
  let mask: UInt64

  func value(of stream: StreamID) -> UInt64 { Fingerprint(of: stream.description).high & mask }
}
