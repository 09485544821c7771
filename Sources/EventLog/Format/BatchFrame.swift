internal import Digests

/// A batch's header; its layout is in ``FileFormat``.
struct BatchHeader: Equatable {
  static let size = 32
  private static let magic: UInt32 = 0x4843_5442  // "BTCH"
  static let firstMagicByte = UInt8(ascii: "B")

  /// Whether bytes could be the front of a header.
  static func begins(_ bytes: UnsafeRawBufferPointer) -> Bool {
    bytes.count >= 4 && bytes.number(at: 0) == magic
  }

  let length: UInt32
  let first: UInt64
  /// The log's durable head when the batch was written.
  let durable: UInt64
  let count: UInt32

  var positions: ClosedRange<UInt64> { first...first + UInt64(count) - 1 }

  func write(to out: UnsafeMutableRawBufferPointer) {
    out.put(Self.magic, at: 0)
    out.put(length, at: 4)
    out.put(first, at: 8)
    out.put(durable, at: 16)
    out.put(count, at: 24)
    out.put(CRC32C.checksum(UnsafeRawBufferPointer(out).part(0..<28)), at: 28)
  }

  init(length: UInt32, first: UInt64, durable: UInt64, count: UInt32) {
    self.length = length
    self.first = first
    self.durable = durable
    self.count = count
  }

  /// Nil where the bytes are no batch header or do not match their checksum.
  init?(_ bytes: UnsafeRawBufferPointer) {
    guard bytes.count >= Self.size, bytes.number(at: 0) == Self.magic,
      CRC32C.checksum(bytes.part(0..<28)) == bytes.number(at: 28)
    else { return nil }
    length = bytes.number(at: 4)
    first = bytes.number(at: 8)
    durable = bytes.number(at: 16)
    count = bytes.number(at: 24)
    guard count > 0, 1...FileFormat.greatestPosition ~= first,
      durable <= FileFormat.greatestPosition, Int(length) >= Self.size + BatchTrailer.size
    else { return nil }
  }
}

/// A batch's last bytes.
enum BatchTrailer {
  static let size = 12
  private static let magic: UInt32 = 0x454E_4F44  // "DONE"
  /// What a batch's last bytes are.
  static let ending = Array("DONE".utf8)

  /// - Parameter chain: the checksum over the records' `sealed` fields.
  static func write(chain: UInt32, length: UInt32, to batch: UnsafeMutableRawBufferPointer) {
    let start = batch.count - size
    let header = UnsafeRawBufferPointer(batch).part(0..<BatchHeader.size)
    batch.put(CRC32C.checksum(header.part(28..<32), seed: chain), at: start)
    batch.put(length, at: start + 4)
    batch.put(magic, at: start + 8)
  }

  /// Whether a batch, of which all bytes are given, ends as it must.
  static func check(_ batch: UnsafeRawBufferPointer, chain: UInt32) -> Bool {
    let start = batch.count - size
    return batch.number(at: start) == CRC32C.checksum(batch.part(28..<32), seed: chain)
      && batch.number(at: start + 4) == UInt32(batch.count) && batch.number(at: start + 8) == magic
  }
}
