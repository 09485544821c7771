/// A list's order while items move at random: a move to where the item is would write no event.
struct MovingOrder {
  /// For each item the one above it, 0 for none; and the one below. Item 0 is the list's top.
  private var above: [UInt32]
  private var below: [UInt32]
  /// The item that is the last.
  private var last: Int
  private var state: UInt64

  /// - Parameter seed: of the moves, not 0; the same moves again would change little.
  init(count: Int, seed: UInt64 = 0x9E37_79B9_7F4A_7C15) {
    state = seed
    above = (0...UInt32(count)).map { $0 == 0 ? 0 : $0 - 1 }
    below = (0...UInt32(count)).map { $0 == UInt32(count) ? 0 : $0 + 1 }
    last = count
  }

  var count: Int { above.count - 1 }

  /// Adds an item at the end.
  ///
  /// - Returns: the one above it.
  mutating func append() -> Int {
    defer { last = count }
    above.append(UInt32(last))
    below.append(0)
    below[last] = UInt32(count)
    return last
  }

  /// Moves any item behind another one, of at least two.
  mutating func move() -> (item: Int, anchor: Int) {
    var item = random()
    var anchor = random()
    while anchor == item || above[item] == UInt32(anchor) {
      item = random()
      anchor = random()
    }
    let (upper, lower) = (Int(above[item]), Int(below[item]))
    below[upper] = UInt32(lower)
    if lower != 0 { above[lower] = UInt32(upper) } else { last = upper }
    let next = Int(below[anchor])
    below[anchor] = UInt32(item)
    above[item] = UInt32(anchor)
    below[item] = UInt32(next)
    if next != 0 { above[next] = UInt32(item) } else { last = item }
    return (item, anchor)
  }

  private mutating func random() -> Int {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return 1 + Int(state % UInt64(count))
  }
}
