/// Values by a row's number: an open-addressing table. A dictionary's hash, which must withstand keys
/// that somebody chose, costs more than all else of a small event.
struct RowTable<Value> {
  /// No row has this number.
  private static var free: Int { -1 }
  private static var smallest: Int { 1 << 10 }

  private var keys: [Int]
  private var values: [Value?]
  private(set) var count = 0
  /// The table has 2^bits places.
  private var bits: Int

  init() {
    keys = Array(repeating: Self.free, count: Self.smallest)
    values = Array(repeating: nil, count: Self.smallest)
    bits = Self.smallest.trailingZeroBitCount
  }

  private var mask: Int { keys.count - 1 }

  /// Row numbers come in runs; multiplying spreads them.
  private func home(of key: Int) -> Int {
    Int((UInt64(bitPattern: Int64(key)) &* 0x9E37_79B9_7F4A_7C15) >> UInt64(64 - bits))
  }

  /// Where the row's value is; good until the table is changed.
  func place(of key: Int) -> Int? {
    var place = home(of: key)
    while keys[place] != Self.free {
      if keys[place] == key { return place }
      place = (place + 1) & mask
    }
    return nil
  }

  subscript(place place: Int) -> Value {
    get {
      guard let value = values[place] else { preconditionFailure("no row is there") }
      return value
    }
    set { values[place] = newValue }
  }

  /// Puts a value in, whether or not the row has one.
  mutating func set(_ key: Int, to value: Value) {
    if let place = place(of: key) {
      values[place] = value
      return
    }
    if count >= keys.count / 4 * 3 { grow() }
    insert(key, value)
    count += 1
  }

  private mutating func insert(_ key: Int, _ value: Value) {
    var place = home(of: key)
    while keys[place] != Self.free { place = (place + 1) & mask }
    keys[place] = key
    values[place] = value
  }

  private mutating func grow() {
    let (oldKeys, oldValues) = (keys, values)
    bits += 1
    keys = Array(repeating: Self.free, count: 1 << bits)
    values = Array(repeating: nil, count: 1 << bits)
    for (key, value) in zip(oldKeys, oldValues) {
      if let value { insert(key, value) }
    }
  }

  /// Takes a value out; those that came to lie behind it move up, so that no gap hides them.
  mutating func remove(_ key: Int) {
    guard var gap = place(of: key) else { return }
    count -= 1
    var place = (gap + 1) & mask
    while keys[place] != Self.free {
      let distance = (place - home(of: keys[place])) & mask
      if distance >= (place - gap) & mask {
        keys[gap] = keys[place]
        values[gap] = values[place]
        gap = place
      }
      place = (place + 1) & mask
    }
    keys[gap] = Self.free
    values[gap] = nil
  }

  /// Takes all out. A table that has grown large does not stay so.
  mutating func removeAll() { self = RowTable() }
}
