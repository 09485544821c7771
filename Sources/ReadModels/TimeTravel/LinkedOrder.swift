/// Numbers in an order that is changed by neighbour, each change in constant time.
struct LinkedOrder {
  private struct Links {
    var above: Int?
    var below: Int?
  }

  private var links: [Int: Links] = [:]
  private(set) var first: Int?

  var isEmpty: Bool { first == nil }

  func contains(_ number: Int) -> Bool { links[number] != nil }

  func below(_ number: Int) -> Int? { links[number]?.below }

  /// Puts `number`, which is not in the order, directly below `anchor`, which is, or on top.
  mutating func insert(_ number: Int, below anchor: Int?) {
    let lower = anchor.map { links[$0]?.below } ?? first
    links[number] = Links(above: anchor, below: lower)
    if let anchor { links[anchor]?.below = number } else { first = number }
    if let lower { links[lower]?.above = number }
  }

  mutating func remove(_ number: Int) {
    guard let place = links.removeValue(forKey: number) else { return }
    if let above = place.above { links[above]?.below = place.below } else { first = place.below }
    if let below = place.below { links[below]?.above = place.above }
  }
}
