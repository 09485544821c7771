internal import FastJSON
internal import Glibc

/// The aggregates in memory, found by their stream's name as it stands in a request.
struct SlotTable {
  private static let recentBits = 14

  private var slots: [StreamID: AggregateSlot] = [:]
  /// The slots used lately, by a part of their name: found without making a name of the bytes.
  private var recent = [AggregateSlot?](repeating: nil, count: 1 << recentBits)

  var count: Int { slots.count }
  var all: Dictionary<StreamID, AggregateSlot>.Values { slots.values }

  subscript(stream: StreamID) -> AggregateSlot? { slots[stream] }

  mutating func add(_ slot: AggregateSlot) { slots[slot.stream] = slot }

  /// The slot of the stream with this name, where it was used lately.
  @inline(__always)
  func recent(_ name: JSONText) -> AggregateSlot? {
    guard let slot = recent[Self.place(of: name.utf8)], slot.name.count == name.utf8.count,
      let base = name.utf8.baseAddress
    else { return nil }
    let isEqual = slot.name.withUnsafeBufferPointer {
      $0.baseAddress.map { memcmp($0, base, name.utf8.count) == 0 } ?? false
    }
    return isEqual ? slot : nil
  }

  mutating func use(_ slot: AggregateSlot) {
    let place = slot.name.withUnsafeBufferPointer { Self.place(of: $0) }
    recent[place] = slot
  }

  mutating func remove(_ slot: AggregateSlot) {
    slots[slot.stream] = nil
    let place = slot.name.withUnsafeBufferPointer { Self.place(of: $0) }
    if recent[place] === slot { recent[place] = nil }
  }

  /// Names differ in their last bytes more than in their first.
  @inline(__always)
  private static func place(of name: UnsafeBufferPointer<UInt8>) -> Int {
    let bytes = UnsafeRawBufferPointer(name)
    var word = UInt64(truncatingIfNeeded: bytes.count)
    if bytes.count >= 16 {
      word ^= bytes.loadUnaligned(fromByteOffset: bytes.count - 16, as: UInt64.self)
      word = word &* 0x9E37_79B9_7F4A_7C15
    }
    if bytes.count >= 8 {
      word ^= bytes.loadUnaligned(fromByteOffset: bytes.count - 8, as: UInt64.self)
    } else {
      for byte in bytes { word = word << 8 | UInt64(byte) }
    }
    return Int(truncatingIfNeeded: (word &* 0x9E37_79B9_7F4A_7C15) >> (64 - UInt64(recentBits)))
  }
}
