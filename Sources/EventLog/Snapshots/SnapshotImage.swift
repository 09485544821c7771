internal import Digests
internal import EventSourcing

/// A snapshot as bytes: what is in a snapshot file, `snapshots/<32 hexadecimal digits>.snap`, whose
/// name is the first half of the SHA-256 of the stream's.
///
/// Numbers are little endian. At 0 `SWIPESNP`; 8 format version, 1 (4 bytes); 12 the aggregate's
/// snapshot version (4); 16 log id (16); 32 revision (8); 40 position of the event with that
/// revision (8); 48 that event's time (8); 56 length of the state (8); 64 length of the stream's name
/// (1); 65 zeros (3); 68 CRC-32C of all other bytes, in order (4); 72 the stream's name; then the
/// state, in the aggregate's own form, to the file's end.
enum SnapshotImage {
  static let version: UInt32 = 1
  static let headerSize = 72
  static let magic = Array("SWIPESNP".utf8)
  /// A larger file is none of ours.
  static let sizeLimit = 1 << 31
  static let checksumPlace = 68..<72

  /// - Returns: nil where the snapshot is too large to be kept.
  static func bytes(of snapshot: Snapshot) -> [UInt8]? {
    let name = Array(snapshot.stream.description.utf8)
    let size = headerSize + name.count + snapshot.state.count
    guard size <= sizeLimit, name.count <= 255 else { return nil }
    var bytes = [UInt8](zeros: headerSize) { out in
      magic.withUnsafeBytes { out.put($0, at: 0) }
      out.put(version, at: 8)
      out.put(snapshot.version, at: 12)
      snapshot.log.bytes.withUnsafeBytes { out.put($0, at: 16) }
      out.put(snapshot.revision.rawValue, at: 32)
      out.put(snapshot.position.rawValue, at: 40)
      out.put(snapshot.time.microseconds, at: 48)
      out.put(UInt64(snapshot.state.count), at: 56)
      out.put(UInt8(name.count), at: 64)
    }
    bytes.reserveCapacity(size)
    bytes += name
    bytes += snapshot.state
    bytes.withUnsafeMutableBytes {
      $0.put(checksum(of: UnsafeRawBufferPointer($0)), at: checksumPlace.lowerBound)
    }
    return bytes
  }

  /// The snapshot that `bytes` are.
  ///
  /// - Throws: what is wrong with them. Of a format that is not known here, nothing more is read
  ///   than its number.
  static func snapshot(_ bytes: [UInt8]) throws(FrameFault) -> Snapshot {
    guard bytes.count >= headerSize, Array(bytes[0..<8]) == magic else {
      throw FrameFault("it is no snapshot")
    }
    return try bytes.withRawBytes { raw throws(FrameFault) in
      guard raw.number(at: 8, as: UInt32.self) == version else {
        throw FrameFault("it has a format that is not known here")
      }
      let nameEnd = headerSize + Int(raw.number(at: 64, as: UInt8.self))
      guard nameEnd <= raw.count,
        raw.number(at: 56, as: UInt64.self) == UInt64(raw.count - nameEnd)
      else { throw FrameFault("its length is not what it says") }
      guard raw.number(at: checksumPlace.lowerBound, as: UInt32.self) == checksum(of: raw),
        raw.part(65..<68).isZero
      else { throw FrameFault("it does not match its checksum") }
      return try fields(of: raw, nameEnd: nameEnd)
    }
  }

  private static func fields(
    of raw: UnsafeRawBufferPointer, nameEnd: Int
  ) throws(FrameFault) -> Snapshot {
    let stream: StreamID
    do throws(StreamIDError) {
      stream = try StreamID(String(decoding: raw.part(headerSize..<nameEnd), as: UTF8.self))
    } catch {
      throw FrameFault(error.description)
    }
    return Snapshot(
      stream: stream, revision: Revision(raw.number(at: 32)),
      position: GlobalPosition(raw.number(at: 40)),
      time: Timestamp(microseconds: raw.number(at: 48)),
      log: LogID(bytes: Array(raw.part(16..<32))),
      version: raw.number(at: 12), state: Array(raw.part(nameEnd..<raw.count)))
  }

  static func checksum(of bytes: UnsafeRawBufferPointer) -> UInt32 {
    let before = CRC32C.checksum(bytes.part(0..<checksumPlace.lowerBound))
    return CRC32C.checksum(bytes.part(checksumPlace.upperBound..<bytes.count), seed: before)
  }
}
