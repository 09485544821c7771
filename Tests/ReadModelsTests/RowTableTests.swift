import SwipestreamTesting
import Testing

@testable import ReadModels

@Suite("Tables of rows")
struct RowTableTests {
  @Test("hold what a dictionary holds", arguments: SeededRandom.seeds(6))
  func anySteps(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    var table = RowTable<Int>()
    var expected: [Int: Int] = [:]
    // Few places of a small table, so that rows lie behind one another, and numbers like a view's.
    let stride = random.chance(oneIn: 2) ? 1 : 1 << 40
    for step in 0..<20_000 {
      let key = Int.random(in: 0..<3000, using: &random) * stride
      switch Int.random(in: 0..<5, using: &random) {
      case 0...2:
        table.set(key, to: step)
        expected[key] = step
      default:
        table.remove(key)
        expected[key] = nil
      }
      #expect(table.place(of: key).map { table[place: $0] } == expected[key], "seed \(seed)")
    }
    #expect(table.count == expected.count)
    for key in 0..<3000 {
      let value = table.place(of: key * stride).map { table[place: $0] }
      #expect(value == expected[key * stride], "seed \(seed)")
    }
    table.removeAll()
    #expect(table.count == 0 && table.place(of: 0) == nil)
  }
}
