internal import Glibc

/// Remembers what names were made of which bytes, so that a scan does not make one per record.
struct NameCache<Value> {
  private struct Entry {
    let bytes: [UInt8]
    let value: Value
  }

  private static var slotCount: Int { 256 }

  private var slots = [Entry?](repeating: nil, count: slotCount)

  /// - Parameter make: nil where the text is no such name.
  @inline(__always)
  mutating func value(
    for bytes: UnsafeRawBufferPointer, make: (String) -> Value?
  ) -> Value? {
    let slot = Self.slot(of: bytes)
    if let entry = slots[slot], Self.equal(entry.bytes, bytes) { return entry.value }
    guard let value = make(String(decoding: bytes, as: UTF8.self)) else { return nil }
    slots[slot] = Entry(bytes: Array(bytes), value: value)
    return value
  }

  /// Names differ in their last bytes more than in their first.
  @inline(__always)
  private static func slot(of bytes: UnsafeRawBufferPointer) -> Int {
    var word = UInt64(truncatingIfNeeded: bytes.count)
    if bytes.count >= 8 {
      word ^= bytes.number(at: bytes.count - 8, as: UInt64.self)
    } else {
      for byte in bytes { word = word << 8 | UInt64(byte) }
    }
    return Int(truncatingIfNeeded: (word &* 0x9E37_79B9_7F4A_7C15) >> 56)
  }

  @inline(__always)
  private static func equal(_ a: [UInt8], _ b: UnsafeRawBufferPointer) -> Bool {
    guard a.count == b.count, let base = b.baseAddress else { return a.isEmpty && b.isEmpty }
    return a.withUnsafeBytes { memcmp($0.baseAddress ?? base, base, b.count) == 0 }
  }
}
