public import Digests

/// Reads a snapshot's bytes from front to back. Whatever they are, it neither traps nor reads on
/// behind their end.
public struct SnapshotReader {
  private let bytes: [UInt8]
  private var offset = 0

  public init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// How many bytes are left.
  public var remaining: Int { bytes.count - offset }

  public mutating func byte() throws(SnapshotDecodingError) -> UInt8 {
    guard offset < bytes.count else { throw SnapshotDecodingError("it ends too early") }
    defer { offset += 1 }
    return bytes[offset]
  }

  public mutating func bool() throws(SnapshotDecodingError) -> Bool {
    let value = try byte()
    guard value < 2 else { throw SnapshotDecodingError("a truth value is neither 0 nor 1") }
    return value == 1
  }

  /// A number from 0 to `limit`. One that was written in more bytes than it needs is refused: there
  /// is one form only.
  public mutating func number(upTo limit: Int = .max) throws(SnapshotDecodingError) -> Int {
    let value = try leb128()
    guard value <= UInt64(limit) else { throw SnapshotDecodingError("a number is too large") }
    return Int(value)
  }

  /// A number that may be negative.
  public mutating func signed() throws(SnapshotDecodingError) -> Int64 {
    let value = try leb128()
    return Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1)
  }

  /// How many elements follow, each of at least `size` bytes: never more than there are bytes for,
  /// so room may be made for them.
  public mutating func count(ofSize size: Int) throws(SnapshotDecodingError) -> Int {
    let count = try number()
    guard count <= remaining / size else {
      throw SnapshotDecodingError("it says more elements than it has bytes for")
    }
    return count
  }

  public mutating func raw(_ count: Int) throws(SnapshotDecodingError) -> ArraySlice<UInt8> {
    guard count >= 0, count <= remaining else { throw SnapshotDecodingError("it ends too early") }
    defer { offset += count }
    return bytes[offset..<offset + count]
  }

  /// Bytes behind their number.
  public mutating func counted() throws(SnapshotDecodingError) -> ArraySlice<UInt8> {
    try raw(try count(ofSize: 1))
  }

  public mutating func fingerprint() throws(SnapshotDecodingError) -> Fingerprint {
    guard remaining >= 16 else { throw SnapshotDecodingError("it ends too early") }
    defer { offset += 16 }
    return bytes.withUnsafeBytes {
      Fingerprint(
        high: UInt64(bigEndian: $0.loadUnaligned(fromByteOffset: offset, as: UInt64.self)),
        low: UInt64(bigEndian: $0.loadUnaligned(fromByteOffset: offset + 8, as: UInt64.self)))
    }
  }

  /// Makes sure that nothing is left.
  public func finish() throws(SnapshotDecodingError) {
    guard remaining == 0 else { throw SnapshotDecodingError("\(remaining) bytes are left over") }
  }

  private mutating func leb128() throws(SnapshotDecodingError) -> UInt64 {
    var value: UInt64 = 0
    var shift: UInt64 = 0
    while true {
      let byte = try byte()
      let isTooLong = shift == 63 ? byte > 1 : byte == 0 && shift > 0
      guard !isTooLong else { throw SnapshotDecodingError("a number has an odd form") }
      value |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { return value }
      shift += 7
    }
  }
}
