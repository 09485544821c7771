import SwipestreamTesting
import Testing

@testable import ReadModels

@Suite("Orders that are known in memory")
struct KnownOrderTests {
  @Test("are what arrays hold", arguments: SeededRandom.seeds(6))
  func anySteps(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    var orders = KnownOrders()
    var expected: [[Int]] = [[], [], []]
    for scope in expected.indices { orders.begin(scope) }
    for step in 0..<3000 {
      let row = Int.random(in: 0..<40, using: &random)
      if let scope = expected.firstIndex(where: { $0.contains(row) }) {
        orders.remove(row, from: scope)
        expected[scope].removeAll { $0 == row }
      }
      // An order that nobody began takes nothing in.
      if random.chance(oneIn: 4) {
        orders.insert(row, below: nil, in: 9)
        orders.remove(row, from: 9)
      } else {
        let scope = Int.random(in: 0..<3, using: &random)
        let index = Int.random(in: 0...expected[scope].count, using: &random)
        let anchor = index == 0 ? nil : expected[scope][index - 1]
        orders.insert(row, below: anchor, in: scope)
        expected[scope].insert(row, at: index)
      }
      for scope in 0..<3 { #expect(orders.isEqual(expected[scope], scope), "\(seed), \(step)") }
      #expect(orders.count == 3 + expected.joined().count)
    }
    orders.removeAll()
    #expect(!orders.isKnown(0) && orders.count == 0)
  }
}

extension KnownOrders {
  fileprivate func isEqual(_ rows: [Int], _ scope: Int) -> Bool {
    var (down, up): ([Int], [Int]) = ([], [])
    var next = first(in: scope)
    while let row = next {
      down.append(row)
      next = below(row)
    }
    next = rows.last
    while let row = next {
      up.append(row)
      next = above(row)
    }
    return down == rows && up == rows.reversed()
  }
}
