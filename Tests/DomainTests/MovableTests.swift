import EventSourcing
import FastJSON
import SwipestreamTesting
import Testing

@testable import Domain

@Suite("Items that are fixed in their place")
struct MovableTests {
  @Test("are not moved, alone or among others, and others move around them")
  func fixed() throws {
    var list = try Harness(.todo, items: 4)
    #expect(
      try list.written("edit", ["item": 2, "movable": false])
        == [#"item.configured {"item":2,"movable":false}"#])
    #expect(try list.written("edit", ["item": 2, "movable": false]) == [])
    for data in [
      ["item": 2, "first": true], ["items": [1, 2, 3], "last": true],
    ] as [JSON] {
      #expect(
        list.refusal("reorder", data)
          == ServiceError(
            .rejected, "item 2 may not be moved: it is fixed in its place ('movable' is false)",
            ids: [2]))
    }
    try list.send("reorder", ["item": 4, "before": 2])
    try list.send("reorder", ["item": 1, "after": 2])
    #expect(list.rows[1] == [4, 2, 1, 3])
    try list.send("complete", ["item": 2])
    try list.send("reopen", ["item": 2])
    try list.send("edit", ["item": 2, "movable": true])
    try list.send("reorder", ["item": 2, "last": true])
    #expect(list.rows[1] == [4, 1, 3, 2])
    #expect(list.state.settings.isEmpty)
  }

  @Test(
    "whether an item may move into a section is one question", arguments: SeededRandom.seeds(20))
  func oneQuestion(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    var list = try Harness(.todo, items: 8)
    var answers = Set<Bool>()
    for _ in 0..<200 {
      let (name, data) = SnapshotTests.listCommand(
        items: list.state.states.count - 1, &random)
      _ = try? list.send(name, data)
      let item = ItemID(.random(in: 1..<list.state.states.count, using: &random))
      let section = SectionID(.random(in: 1...4, using: &random))
      guard list.state.state(item) != nil, list.state.hasSection(section) else { continue }
      let mayMove = (try? list.state.requireMoves([item], into: section)) != nil
      answers.insert(mayMove)
      var copy = list
      let refusal = copy.refusal(
        "reorder",
        ["item": .integer(item.rawValue), "section": .integer(section.rawValue), "first": true])
      #expect((refusal == nil) == mayMove, "seed \(seed)")
    }
    #expect(answers.count == 2, "seed \(seed)")
  }
}
