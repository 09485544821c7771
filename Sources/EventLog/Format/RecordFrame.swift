internal import Digests

/// A record's fixed part; its layout is in ``FileFormat``.
struct RecordFrame {
  static let size = 60
  private static let sealedOffset = 8
  static let sealedRange = 8..<12
  private static let coveredOffset = 12
  static let flagsOffset = 14
  static let positionOffset = 16
  static let timeOffset = 32
  static let erasedFlag: UInt8 = 1

  let length: Int
  let sealed: UInt32
  let schema: UInt16
  /// Whether its text was replaced in place.
  let isErased: Bool
  let position: UInt64
  let revision: UInt64
  let time: Int64
  let command: UInt64
  /// Offsets within the record.
  let stream: Range<Int>
  let type: Range<Int>
  let data: Range<Int>
  let meta: Range<Int>

  /// Reads and checks the record that `bytes` begin with.
  ///
  /// - Parameter isLenient: whether one right checksum of the two is enough.
  @inline(__always)
  init(_ bytes: UnsafeRawBufferPointer, isLenient: Bool = false) throws(FrameFault) {
    guard bytes.count >= Self.size else { throw FrameFault("a record is cut short") }
    length = Int(bytes.number(at: 0, as: UInt32.self))
    guard length >= Self.size, length <= bytes.count else {
      throw FrameFault("a record's length is impossible")
    }
    let checksum: UInt32 = bytes.number(at: 4)
    sealed = bytes.number(at: Self.sealedOffset)
    let actual = CRC32C.checksum(bytes.part(Self.coveredOffset..<length))
    guard actual == checksum || (isLenient && actual == sealed) else {
      throw FrameFault("a record does not match its checksum")
    }
    schema = bytes.number(at: 12)
    isErased = Self.isErased(bytes)
    guard sealed == checksum || isErased || isLenient else {
      throw FrameFault("a record's two checksums differ")
    }
    position = bytes.number(at: Self.positionOffset)
    revision = bytes.number(at: 24)
    time = bytes.number(at: Self.timeOffset)
    command = bytes.number(at: 40)
    stream = Self.size..<Self.size + Int(bytes[15])
    type = stream.upperBound..<stream.upperBound + Int(bytes.number(at: 56, as: UInt16.self))
    data = type.upperBound..<type.upperBound + Int(bytes.number(at: 48, as: UInt32.self))
    meta = data.upperBound..<data.upperBound + Int(bytes.number(at: 52, as: UInt32.self))
    guard meta.upperBound == length else { throw FrameFault("a record's parts do not fill it") }
    guard max(position, revision) <= FileFormat.greatestPosition else {
      throw FrameFault("a record's position or revision is impossible")
    }
  }

  /// - Parameter record: at least its fixed part.
  @inline(__always)
  static func isErased(_ record: UnsafeRawBufferPointer) -> Bool {
    record[flagsOffset] & erasedFlag != 0
  }

  /// Goes on with a batch's checksum over the `sealed` field of the record at `offset` in it.
  @inline(__always)
  static func chain(
    _ seed: UInt32, recordAt offset: Int, in batch: UnsafeRawBufferPointer
  ) -> UInt32 {
    let sealed = offset + sealedRange.lowerBound..<offset + sealedRange.upperBound
    return CRC32C.checksum(batch.part(sealed), seed: seed)
  }

  /// Whose record a damaged one says to be; nil where it does not even have its position.
  static func remains(
    _ bytes: UnsafeRawBufferPointer, of position: UInt64
  ) -> (stream: String, revision: UInt64)? {
    guard bytes.count > size, bytes.number(at: positionOffset) == position else { return nil }
    let stream = bytes.part(size..<min(size + Int(bytes[15]), bytes.count))
    return (String(decoding: stream, as: UTF8.self), bytes.number(at: 24))
  }

  /// Sets a record's checksums right; that of an erased one as it was first written stays.
  static func reseal(_ record: UnsafeMutableRawBufferPointer, isErased: Bool) {
    let covered = UnsafeRawBufferPointer(record).part(coveredOffset..<record.count)
    let checksum = CRC32C.checksum(covered)
    record.put(checksum, at: 4)
    if !isErased { record.put(checksum, at: sealedOffset) }
  }

  /// What a record of these parts takes.
  static func length(stream: Int, type: Int, data: Int, meta: Int) -> Int {
    size + stream + type + data + meta
  }

  /// The numbers of a record that is to be written.
  struct Fields {
    let position: UInt64
    let revision: UInt64
    let time: Int64
    let command: UInt64
    let schema: UInt16
  }

  /// Writes a record that fills `out`.
  ///
  /// - Returns: its `sealed` field.
  static func write(
    _ fields: Fields, stream: UnsafeRawBufferPointer, type: UnsafeRawBufferPointer,
    data: UnsafeRawBufferPointer, meta: UnsafeRawBufferPointer,
    to out: UnsafeMutableRawBufferPointer
  ) -> UInt32 {
    out.put(UInt32(out.count), at: 0)
    out.put(fields.schema, at: 12)
    out.put(UInt8(0), at: 14)
    out.put(UInt8(stream.count), at: 15)
    out.put(fields.position, at: 16)
    out.put(fields.revision, at: 24)
    out.put(fields.time, at: timeOffset)
    out.put(fields.command, at: 40)
    out.put(UInt32(data.count), at: 48)
    out.put(UInt32(meta.count), at: 52)
    out.put(UInt16(type.count), at: 56)
    out.put(UInt16(0), at: 58)
    out.put(stream, at: size)
    out.put(type, at: size + stream.count)
    out.put(data, at: size + stream.count + type.count)
    out.put(meta, at: out.count - meta.count)
    let checksum = CRC32C.checksum(UnsafeRawBufferPointer(out).part(coveredOffset..<out.count))
    out.put(checksum, at: 4)
    out.put(checksum, at: sealedOffset)
    return checksum
  }
}
