internal import ActorRuntime

/// The commands whose events are under way, found by key: an open-addressing table with linear
/// probing. Each belongs to a batch under way, at an index in its answers.
struct PendingCommands {
  struct Place: Equatable {
    let batch: UInt64
    let index: Int
  }

  /// Sixteen bytes, as the table is large and each look goes to another part of it.
  private struct Slot {
    /// 0 where the slot is free.
    var key: UInt64 = 0
    /// The batch's lower half.
    var batch: UInt32 = 0
    var index: UInt32 = 0
  }

  private var slots = [Slot](repeating: Slot(), count: 64)
  private(set) var count = 0
  /// Keys are hashes of what clients choose; with this they cannot choose where theirs go.
  private let factor = UInt64.random(in: 1 ... .max) | 1

  private var mask: Int { slots.count - 1 }

  private func home(of key: UInt64) -> Int {
    Int(truncatingIfNeeded: (key &* factor) >> 32) & mask
  }

  /// Brings near what a look for the key goes to.
  func prefetch(_ key: CommandKey) {
    slots.withUnsafeBytes { slots in
      let offset = home(of: key.rawValue) * MemoryLayout<Slot>.stride
      if let start = slots.baseAddress { Prefetch.memory(at: start + offset) }
    }
  }

  /// - Parameter newest: the newest batch; no more than 2³² are under way.
  func place(of key: CommandKey, newest: UInt64) -> Place? {
    var index = home(of: key.rawValue)
    while slots[index].key != 0 {
      if slots[index].key == key.rawValue {
        let age = UInt32(truncatingIfNeeded: newest) &- slots[index].batch
        return Place(batch: newest - UInt64(age), index: Int(slots[index].index))
      }
      index = (index + 1) & mask
    }
    return nil
  }

  /// - Precondition: the key is not there.
  mutating func insert(_ key: CommandKey, _ place: Place) {
    if (count + 1) * 2 > slots.count { grow() }
    insert(
      Slot(
        key: key.rawValue, batch: UInt32(truncatingIfNeeded: place.batch),
        index: UInt32(place.index)))
    count += 1
  }

  private mutating func insert(_ slot: Slot) {
    var index = home(of: slot.key)
    while slots[index].key != 0 { index = (index + 1) & mask }
    slots[index] = slot
  }

  private mutating func grow() {
    let old = slots
    slots = [Slot](repeating: Slot(), count: old.count * 2)
    for slot in old where slot.key != 0 { insert(slot) }
  }

  mutating func remove(_ key: CommandKey) {
    var hole = home(of: key.rawValue)
    while slots[hole].key != key.rawValue {
      if slots[hole].key == 0 { return }
      hole = (hole + 1) & mask
    }
    slots[hole].key = 0
    count -= 1
    // What was pushed past the hole moves back, so that no search ends too early.
    var next = (hole + 1) & mask
    while slots[next].key != 0 {
      if (next - home(of: slots[next].key)) & mask >= (next - hole) & mask {
        slots[hole] = slots[next]
        slots[next].key = 0
        hole = next
      }
      next = (next + 1) & mask
    }
  }
}
