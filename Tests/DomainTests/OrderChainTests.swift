import SwipestreamTesting
import Testing

@testable import Domain

extension OrderChain {
  /// Whether the labels agree with the links.
  func isAscending(in lane: Int) -> Bool {
    var number = first(in: lane)
    while number != 0, case let next = self.number(after: number), next != 0 {
      guard precedes(number, next), self.number(before: next) == number else { return false }
      number = next
    }
    return number == last(in: lane)
  }

  func numbers(in lane: Int) -> [UInt32] {
    var numbers: [UInt32] = []
    var number = first(in: lane)
    while number != 0 {
      numbers.append(number)
      number = self.number(after: number)
    }
    return numbers
  }
}

struct OrderChainTests {
  @Test(arguments: SeededRandom.seeds(10))
  func equalsAnArray(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    var chain = OrderChain(lanes: 1)
    var array: [UInt32] = []
    for number in UInt32(1)...300 {
      chain.addSlot()
      let index = Int.random(in: 0...array.count, using: &random)
      chain.insert(number, after: index == 0 ? 0 : array[index - 1], in: 0)
      array.insert(number, at: index)
      if random.chance(oneIn: 3) {
        let moved = array.remove(at: Int.random(in: array.indices, using: &random))
        chain.remove(moved, from: 0)
        chain.insert(moved, after: array.last ?? 0, in: 0)
        array.append(moved)
      }
      #expect(chain.numbers(in: 0) == array)
      #expect(chain.isAscending(in: 0))
    }
  }

  /// Always into the same gap: labels must be dealt out anew, without ever walking all of them.
  @Test(arguments: [false, true])
  func holdsOneGap(fromBelow: Bool) {
    var chain = OrderChain(lanes: 1)
    for _ in 1...100_000 { chain.addSlot() }
    chain.insert(1, after: 0, in: 0)
    chain.insert(2, after: 1, in: 0)
    for number in UInt32(3)...100_000 {
      chain.insert(number, after: fromBelow ? chain.number(before: 2) : 1, in: 0)
    }
    #expect(chain.isAscending(in: 0))
    #expect(chain.numbers(in: 0).count == 100_000)
  }

  @Test func comparesPlacesNotHistory() {
    var a = OrderChain(lanes: 1)
    var b = OrderChain(lanes: 1)
    for _ in 1...2 {
      a.addSlot()
      b.addSlot()
    }
    a.insert(1, after: 0, in: 0)
    a.insert(2, after: 1, in: 0)
    b.insert(2, after: 0, in: 0)
    #expect(a != b)
    b.insert(1, after: 0, in: 0)
    #expect(a == b)
  }
}
