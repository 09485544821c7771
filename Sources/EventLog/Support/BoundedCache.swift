/// A cache that stays within a total weight, and keeps what was used lately.
///
/// It keeps two generations: when the young one is half the limit, it becomes the old one, and what
/// was old is dropped unless it was used since. That is as good as a list in order of use, at the
/// price of a dictionary.
struct BoundedCache<Key: Hashable, Value> {
  private struct Entry {
    let value: Value
    let weight: Int
  }

  private let generationLimit: Int
  private var young: [Key: Entry] = [:]
  private var old: [Key: Entry] = [:]
  private var youngWeight = 0

  init(limit: Int) { generationLimit = max(limit / 2, 1) }

  mutating func value(for key: Key) -> Value? {
    if let entry = young[key] { return entry.value }
    guard let entry = old.removeValue(forKey: key) else { return nil }
    insert(entry.value, for: key, weight: entry.weight)
    return entry.value
  }

  mutating func insert(_ value: Value, for key: Key, weight: Int = 1) {
    if youngWeight + weight > generationLimit {
      old = young
      young = [:]
      youngWeight = 0
    }
    let replaced = young.updateValue(Entry(value: value, weight: weight), forKey: key)
    youngWeight += weight - (replaced?.weight ?? 0)
    old.removeValue(forKey: key)
  }

  mutating func removeAll() {
    young = [:]
    old = [:]
    youngWeight = 0
  }
}
