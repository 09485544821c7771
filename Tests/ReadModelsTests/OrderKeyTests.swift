import Domain
import EventSourcing
import FastJSON
import SwipestreamTesting
import Testing

@testable import ReadModels

/// An order in memory that counts how many keys were changed.
private final class CountedRows: OrderedRows {
  var keys: [Int: Int] = [:]
  var rewrites = 0

  func key(of row: Int) -> Int { keys[row] ?? 0 }

  func firstKey(above key: Int?, excluding excluded: Int) -> Int? {
    keys.lazy.filter { $0.key != excluded && $0.value > key ?? .min }.map(\.value).min()
  }

  func count(in range: ClosedRange<Int>, upTo limit: Int) -> Int {
    min(keys.values.count { range.contains($0) }, limit)
  }

  func rows(in range: ClosedRange<Int>) -> [Int] {
    keys.filter { range.contains($0.value) }.sorted { $0.value < $1.value }.map(\.key)
  }

  func setKey(of row: Int, to key: Int) {
    rewrites += 1
    keys[row] = key
  }

  var order: [Int] { keys.sorted { $0.value < $1.value }.map(\.key) }
}

@Suite("Order keys")
struct OrderKeyTests {
  @Test(
    "any sequence of moves gives the order that a plain array has", arguments: SeededRandom.seeds(8)
  )
  func anyMoves(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let rows = CountedRows()
    var expected: [Int] = []
    for step in 0..<1500 {
      let row = step < 40 ? step : Int.random(in: 0..<40, using: &random)
      expected.removeAll { $0 == row }
      // Mostly the same few gaps, so that they are used up.
      let index = min(
        random.chance(oneIn: 4) ? Int.random(in: 0...39, using: &random) : 1, expected.count)
      let anchor = index == 0 ? nil : expected[index - 1]
      rows.keys[row] = try OrderKeys.place(row, below: anchor, in: rows)
      expected.insert(row, at: index)
      #expect(rows.order == expected, "seed \(seed), step \(step)")
      #expect(Set(rows.keys.values).count == rows.keys.count, "seed \(seed), step \(step)")
    }
  }

  @Test("keys of both signs' ends are no obstacle")
  func farKeys() throws {
    let rows = CountedRows()
    rows.keys = [1: .min + 1, 2: .max - 1]
    let place = try OrderKeys.place(3, below: 1, in: rows)
    #expect(place > .min + 1 && place < .max - 1)
    #expect(throws: ReadModelError.self) { try OrderKeys.place(3, below: 2, in: rows) }
    #expect(throws: ReadModelError.self) { try OrderKeys.place(3, below: nil, in: rows) }
  }

  @Test("two thousand rows into one gap rewrite few keys each")
  func oneGap() throws {
    let rows = CountedRows()
    rows.keys = [0: 0, 1: 1]
    for row in 2..<2000 {
      rows.keys[row] = try OrderKeys.place(row, below: 0, in: rows)
    }
    #expect(rows.order == [0] + (2..<2000).reversed() + [1])
    #expect(rows.rewrites < 2000 * 40)
  }

  @Test("ten thousand new items in one gap of a list")
  func tenThousandItems() async throws {
    let store = InMemoryEventStore()
    let section = SectionID(1)
    let content = SectionContent(
      header: nil, footer: nil, traits: SectionTraits(), swipe: .todoOpen, completedRole: false)
    var events: [ListEvent] = [
      .created(title: "t", template: .plain), .sectionAdded(section, content, after: nil),
      .itemAdded(ItemID(1), text: "first", ItemPlace(section: section, after: nil)),
      .itemAdded(ItemID(2), text: "last", ItemPlace(section: section, after: ItemID(1))),
    ]
    for item in 3...10_002 {
      events.append(
        .itemAdded(ItemID(item), text: "t", ItemPlace(section: section, after: ItemID(1))))
    }
    store.add(events, to: todo)
    try await withViews(of: store, in: TemporaryDirectory(), batchSize: 2000) { views in
      let expected = [1] + (3...10_002).reversed() + [2]
      let items = try await allItems(views)
      #expect(items == expected)
    }
  }

  private func allItems(_ views: Views) async throws -> [Int] {
    var items: [Int] = []
    var page = PageRequest(limit: 1000)
    repeat {
      let view = try await views.query(todo, page)
      items += view.placedItems.map { $0[1] }
      page.cursor = view["cursor"]?.string
    } while page.cursor != nil
    return items
  }
}
