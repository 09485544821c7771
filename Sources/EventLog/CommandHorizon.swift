/// The last commands that wrote events, so that one sent again is found: key → position, the oldest
/// forgotten first. Of two commands with one key the newer counts.
///
/// A remembered command costs 32 to 48 bytes: 8 for the key, 8 for the position, and 16 to 32 in the
/// table that finds it (a power of two of 8-byte slots, at least twice the commands). The default of
/// 1,000,000 commands takes 33 MB, which come as the commands come.
struct CommandHorizon {
  private let limit: Int
  private var keys: [UInt64] = []
  private var positions: [UInt64] = []
  /// Where the next command goes once `limit` are remembered: over the oldest.
  private var oldest = 0
  /// Open addressing: in the upper half the upper half of the key's hash, which says where the
  /// slot's home is, so that a search or a move rarely has to look at the keys; in the lower half an
  /// index into `keys` plus one. 0 where free.
  private var slots: [UInt64] = []
  private var shift: UInt64 = 0

  /// - Parameters:
  ///   - limit: how many are remembered, 1 to 1,000,000,000.
  ///   - expected: how many are known to come soon; room is made for them at once.
  init(limit: Int, expected: Int = 0) {
    self.limit = min(max(limit, 1), 1_000_000_000)
    var bits: UInt64 = 10
    while min(expected, self.limit) * 2 > 1 << Int(bits) { bits += 1 }
    resize(to: bits)
  }

  var count: Int { keys.count }
  private var mask: Int { slots.count - 1 }

  func position(of key: UInt64) -> UInt64? {
    let slot = slots[self.slot(of: key)]
    return slot == 0 ? nil : positions[Self.index(in: slot)]
  }

  mutating func insert(key: UInt64, position: UInt64) {
    let index: Int
    if keys.count < limit {
      index = keys.count
      keys.append(key)
      positions.append(position)
      if keys.count * 2 > slots.count { resize(to: 65 - shift) }
    } else {
      index = oldest
      forget(index)
      keys[index] = key
      positions[index] = position
      oldest = oldest + 1 == limit ? 0 : oldest + 1
    }
    slots[slot(of: key)] = Self.tag(of: key) | UInt64(index + 1)
  }

  // Keys are hashes already; the multiplication is for those who choose theirs.
  private static func tag(of key: UInt64) -> UInt64 {
    (key &* 0x9E37_79B9_7F4A_7C15) & 0xFFFF_FFFF_0000_0000
  }

  private static func index(in slot: UInt64) -> Int { Int(slot & 0xFFFF_FFFF) - 1 }

  private func home(of tag: UInt64) -> Int { Int(tag >> shift) }

  /// Where the key is, or where it would go.
  private func slot(of key: UInt64) -> Int {
    let tag = Self.tag(of: key)
    var place = home(of: tag)
    while slots[place] != 0 {
      let slot = slots[place]
      if slot & 0xFFFF_FFFF_0000_0000 == tag, keys[Self.index(in: slot)] == key { break }
      place = (place + 1) & mask
    }
    return place
  }

  private mutating func resize(to bits: UInt64) {
    slots = [UInt64](repeating: 0, count: 1 << Int(bits))
    shift = 64 - bits
    for (index, key) in keys.enumerated() {
      slots[slot(of: key)] = Self.tag(of: key) | UInt64(index + 1)
    }
  }

  /// Takes out the entry of a command, unless a newer one has taken over its key.
  private mutating func forget(_ index: Int) {
    let entry = Self.tag(of: keys[index]) | UInt64(index + 1)
    var hole = home(of: entry)
    while slots[hole] != entry {
      if slots[hole] == 0 { return }
      hole = (hole + 1) & mask
    }
    slots[hole] = 0
    // What was pushed past the hole moves back, so that no search ends too early.
    var next = (hole + 1) & mask
    while slots[next] != 0 {
      if (next - home(of: slots[next])) & mask >= (next - hole) & mask {
        slots[hole] = slots[next]
        slots[next] = 0
        hole = next
      }
      next = (next + 1) & mask
    }
  }
}
