public import Digests

/// Puts a snapshot's bytes together. Numbers are written as LEB128: seven bits a byte, lowest first,
/// the top bit set on all but the last.
public struct SnapshotWriter {
  public private(set) var bytes: [UInt8] = []

  public init() {}

  public mutating func byte(_ value: UInt8) { bytes.append(value) }

  public mutating func bool(_ value: Bool) { bytes.append(value ? 1 : 0) }

  public mutating func number(_ value: some BinaryInteger) {
    var rest = UInt64(value)
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(truncatingIfNeeded: rest))
  }

  /// A number that may be negative: 0, −1, 1, −2 … are written as 0, 1, 2, 3 …
  public mutating func signed(_ value: Int64) {
    number(UInt64(bitPattern: (value << 1) ^ (value >> 63)))
  }

  /// Bytes whose number the reader knows.
  public mutating func raw(_ more: some Sequence<UInt8>) { bytes.append(contentsOf: more) }

  /// Bytes behind their number.
  public mutating func counted(_ more: [UInt8]) {
    number(more.count)
    bytes.append(contentsOf: more)
  }

  /// 16 bytes, big endian.
  public mutating func fingerprint(_ value: Fingerprint) {
    withUnsafeBytes(of: (value.high.bigEndian, value.low.bigEndian)) {
      bytes.append(contentsOf: $0)
    }
  }

  /// `count` fingerprints that `fill` gives in any order, by their place among them.
  ///
  /// - Precondition: places are below `count`.
  public mutating func fingerprints(
    _ count: Int, fill: ((_ place: Int, _ value: Fingerprint) -> Void) -> Void
  ) {
    let start = bytes.count
    bytes.append(contentsOf: repeatElement(0, count: count * 16))
    bytes.withUnsafeMutableBytes { out in
      fill { place, value in
        precondition((0..<count).contains(place))
        out.storeBytes(
          of: value.high.bigEndian, toByteOffset: start + place * 16, as: UInt64.self)
        out.storeBytes(
          of: value.low.bigEndian, toByteOffset: start + place * 16 + 8, as: UInt64.self)
      }
    }
  }
}
