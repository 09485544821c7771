/// The last commands that wrote events, so that one sent again is found: key → position, the oldest
/// forgotten first. Of two commands with one key the newer counts.
///
/// A remembered command costs 24 to 32 bytes: 8 for the key, 8 for the position, and 8 to 16 in the
/// table that finds it (a power of two of 4-byte slots, at least twice the commands). The default of
/// 1,000,000 commands takes 24.4 MB, all of it allocated as commands come, none at the start of an
/// empty log.
struct CommandHorizon {
  private let limit: Int
  private var keys: [UInt64] = []
  private var positions: [UInt64] = []
  /// Where the next command goes once `limit` are remembered: over the oldest.
  private var oldest = 0
  /// Open addressing: an index into `keys` plus one, 0 where free.
  private var slots: [UInt32] = []
  private var mask = 0

  init(limit: Int) {
    self.limit = max(limit, 1)
    grow(to: 1024)
  }

  var count: Int { keys.count }

  func position(of key: UInt64) -> UInt64? {
    let slot = slots[self.slot(of: key)]
    return slot == 0 ? nil : positions[Int(slot) - 1]
  }

  mutating func insert(key: UInt64, position: UInt64) {
    let index: Int
    if keys.count < limit {
      index = keys.count
      keys.append(key)
      positions.append(position)
      if keys.count * 2 > slots.count { grow(to: slots.count * 2) }
    } else {
      index = oldest
      forget(index)
      keys[index] = key
      positions[index] = position
      oldest = oldest + 1 == limit ? 0 : oldest + 1
    }
    slots[slot(of: key)] = UInt32(index + 1)
  }

  /// Where the key is, or where it would go.
  private func slot(of key: UInt64) -> Int {
    var slot = home(of: key)
    while slots[slot] != 0, keys[Int(slots[slot]) - 1] != key { slot = (slot + 1) & mask }
    return slot
  }

  // Keys are hashes already; the multiplication is for those who choose theirs.
  private func home(of key: UInt64) -> Int {
    Int(truncatingIfNeeded: (key &* 0x9E37_79B9_7F4A_7C15) >> 20) & mask
  }

  private mutating func grow(to count: Int) {
    slots = [UInt32](repeating: 0, count: count)
    mask = count - 1
    for (index, key) in keys.enumerated() { slots[slot(of: key)] = UInt32(index + 1) }
  }

  /// Takes out the entry of a command, unless a newer one has taken over its key.
  private mutating func forget(_ index: Int) {
    var hole = slot(of: keys[index])
    guard slots[hole] == UInt32(index + 1) else { return }
    slots[hole] = 0
    // What was pushed past the hole moves back, so that no search ends too early.
    var next = (hole + 1) & mask
    while slots[next] != 0 {
      let home = home(of: keys[Int(slots[next]) - 1])
      if (next - home) & mask >= (next - hole) & mask {
        slots[hole] = slots[next]
        slots[next] = 0
        hole = next
      }
      next = (next + 1) & mask
    }
  }
}
