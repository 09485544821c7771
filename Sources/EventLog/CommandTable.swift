internal import ActorRuntime

/// A part of the table that finds remembered commands, with open addressing.
///
/// In a slot's upper half is the lower half of the key's hash, whose top bits say where the slot's
/// home is, so that a search or a move rarely has to look at the keys; in its lower half an index
/// into the keys plus one. 0 is a free slot.
///
/// The slots are plain memory: a look goes to one place in it, and nowhere else.
///
/// `@unchecked Sendable`: a table belongs to one ``CommandHorizon``, which never hands it out, is never
/// copied, and is kept by the log behind a lock.
final class CommandTable: @unchecked Sendable {
  struct Entry {
    let hash: UInt64
    let index: UInt32
  }

  private var slots: UnsafeMutablePointer<UInt64>
  private var count = 0
  private var used = 0
  private var shift: UInt64 = 64

  init() { slots = .allocate(capacity: 1) }

  deinit { slots.deallocate() }

  /// A table with entries in it, older ones first.
  convenience init(_ entries: [Entry], keys: ChunkedNumbers) {
    self.init()
    while count < 2 * entries.count { grow() }
    for entry in entries { insert(Int(entry.index), hash: entry.hash, keys: keys) }
  }

  /// What a table takes without its slots, about.
  static let ownBytes = 64
  var allocatedBytes: Int { count * 8 }

  private var mask: Int { count - 1 }

  func index(of key: UInt64, hash: UInt64, in keys: ChunkedNumbers) -> Int? {
    guard count > 0 else { return nil }
    let slot = slots[place(of: key, hash: hash, in: keys)]
    return slot == 0 ? nil : Self.index(in: slot)
  }

  /// Brings near what a look for a key with this hash goes to.
  func prefetch(hash: UInt64) {
    if count > 0 { Prefetch.memory(at: slots + home(of: Self.tag(of: hash))) }
  }

  /// Enters the key `index`, in place of an older one that is equal.
  func insert(_ index: Int, hash: UInt64, keys: ChunkedNumbers) {
    if (used + 1) * 2 > count { grow() }
    let place = place(of: keys[index], hash: hash, in: keys)
    if slots[place] == 0 { used += 1 }
    slots[place] = Self.tag(of: hash) | UInt64(index + 1)
  }

  private static func tag(of hash: UInt64) -> UInt64 { hash << 32 }

  private static func index(in slot: UInt64) -> Int { Int(slot & 0xFFFF_FFFF) - 1 }

  private func home(of slot: UInt64) -> Int { Int(slot >> shift) }

  /// Where the key is, or where it would go.
  private func place(of key: UInt64, hash: UInt64, in keys: ChunkedNumbers) -> Int {
    let tag = Self.tag(of: hash)
    var place = home(of: tag)
    while slots[place] != 0 {
      let slot = slots[place]
      if slot & 0xFFFF_FFFF_0000_0000 == tag, keys[Self.index(in: slot)] == key { break }
      place = (place + 1) & mask
    }
    return place
  }

  private func grow() {
    let old = UnsafeMutableBufferPointer(start: slots, count: count)
    count = max(16, count * 2)
    slots = .allocate(capacity: count)
    slots.initialize(repeating: 0, count: count)
    shift = 64 - UInt64(count.trailingZeroBitCount)
    for slot in old where slot != 0 {
      var place = home(of: slot)
      while slots[place] != 0 { place = (place + 1) & mask }
      slots[place] = slot
    }
    old.deallocate()
  }

  /// Takes out the entry of a key, unless a newer one has taken its place.
  func forget(_ index: Int, hash: UInt64) {
    let entry = Self.tag(of: hash) | UInt64(index + 1)
    var hole = home(of: entry)
    while slots[hole] != entry {
      if slots[hole] == 0 { return }
      hole = (hole + 1) & mask
    }
    slots[hole] = 0
    used -= 1
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
