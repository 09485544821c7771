import EventSourcing
import FastJSON
import SwipestreamTesting
import Testing

@testable import Domain

@Suite("replace")
struct ReplaceTests {
  private func list(_ texts: [String]) throws -> Harness<ItemList> {
    var list = try Harness(.plain, items: 0)
    for text in texts { try list.send("add", ["text": .string(text)]) }
    return list
  }

  private func data(_ texts: [String], section: Int = 1) -> JSON {
    ["section": .integer(section), "texts": .array(texts.map { .string($0) })]
  }

  @Test("keeps the items whose texts stay, and tells all in order")
  func keeps() throws {
    var list = try list(["a", "b", "c"])
    #expect(
      try list.written("replace", data(["c", " x ", "a"])) == [
        #"item.deleted {"item":2}"#, #"item.moved {"item":3,"section":1,"after":null}"#,
        #"item.added {"item":4,"section":1,"text":"x","after":3}"#,
      ])
    #expect(list.rows == [1: [3, 4, 1]])
    #expect(try list.send("replace", data(["c", "x", "a"])) == #"{"items":[3,4,1]}"#)
    #expect(try list.written("replace", data(["c", "x", "a"])) == [])
    #expect(try list.send("replace", data([])) == #"{"items":[]}"#)
    #expect(list.rows == [1: []])
  }

  @Test("matches equal texts one by one, in order")
  func equalTexts() throws {
    var list = try list(["a", "b", "a", "a"])
    #expect(try list.send("replace", data(["a", "a", "b"])) == #"{"items":[1,3,2]}"#)
    #expect(
      try list.send("replace", data(["e\u{301}", "\u{E9}", "a"])) == #"{"items":[5,6,1]}"#)
  }

  @Test("keeps an item's state and settings")
  func keepsStates() throws {
    var list = try list(["a", "b"])
    try list.send("complete", ["item": 1])
    try list.send("edit", ["item": 1, "repeat": "daily"])
    try list.send("replace", data(["b", "a"]))
    #expect(list.state.state(ItemID(1)) == .completed)
    #expect(list.state.settings[1]?.repetition == .daily)
  }

  @Test("is bound by the section's traits, and names them")
  func traits() throws {
    var list = try list(["a", "b"])
    func refuses(_ trait: String, _ texts: [String]) throws {
      try list.send("configure-section", ["section": 1, "traits": .object([.init(trait, false)])])
      let refusal = list.refusal("replace", data(texts))
      #expect(refusal?.code == .rejected && refusal?.message.contains("'\(trait)'") == true)
      try list.send("configure-section", ["section": 1, "traits": .object([.init(trait, true)])])
    }
    try refuses("canAdd", ["a", "b", "c"])
    try refuses("canDelete", ["a"])
    try refuses("canReorder", ["b", "a"])
    #expect(list.refusal("replace", data(["a"], section: 2))?.code == .notFound)
  }

  @Test("moves others around fixed items, which keep their order")
  func fixed() throws {
    var list = try list(["a", "b", "c", "d"])
    try list.send("edit", ["item": 2, "movable": false])
    try list.send("edit", ["item": 3, "movable": false])
    let written = try list.written("replace", data(["d", "b", "a", "c"]))
    #expect(list.rows == [1: [4, 2, 1, 3]])
    #expect(written.allSatisfy { $0.contains(#""item":4"#) || $0.contains(#""item":1"#) })
    let refusal = list.refusal("replace", data(["c", "b"]))
    #expect(refusal?.code == .rejected && refusal?.ids == [2])
  }

  static let invalid: [(String, String)] = [
    (#"{"section":1}"#, "'texts' must be an array of strings"),
    (#"{"section":1,"texts":["a",5]}"#, "'texts' must be an array of strings"),
    (
      #"{"section":1,"texts":["a"," "]}"#,
      "'texts[1]' must be 1 to 65536 bytes without the space around it"
    ),
    (
      #"{"section":1,"texts":[\#(String(repeating: #""a","#, count: 10_000))"a"]}"#,
      "'texts' must be at most 10000"
    ),
  ]

  @Test("refuses what are no texts", arguments: invalid)
  func refuses(_ data: String, _ message: String) {
    #expect(refusal(ListCommand.self, "replace", data) == "invalid: " + message)
  }

  @Test("takes ten thousand texts")
  func limit() throws {
    var list = try list([])
    try list.send("replace", data((0..<10_000).map(String.init)))
    let events = try list.written("replace", data((0..<10_000).map { String(9_999 - $0) }))
    #expect(events.count == 9_999)
    #expect(list.rows[1] == Array((1...10_000).reversed()))
  }

  @Test(
    "leads to the texts asked for, keeps as many items as it can, and moves as few",
    arguments: SeededRandom.seeds(40))
  func property(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    var list = try Harness(.plain, items: 0)
    for _ in 0..<40 {
      let before = list.rows[1] ?? []
      let old = before.map { list.state.texts[ItemID($0)] }
      let texts = (0..<Int.random(in: 0...9, using: &random)).map { _ in
        ["a", "b", "c", "d", "e", "f"].randomElement(using: &random)!
      }
      let written = try list.written("replace", data(texts))
      let after = list.rows[1] ?? []
      #expect(after.map { list.state.texts[ItemID($0)] } == texts, "seed \(seed)")
      for text in Set(texts + old) {
        // Of each text as many items stay as can, the first ones, in their order.
        let kept = zip(before, old).filter { $0.1 == text }.map(\.0)
        let now = zip(after, texts).filter { $0.1 == text }.map(\.0)
        let count = min(kept.count, now.count)
        #expect(Array(now.prefix(count)) == Array(kept.prefix(count)), "seed \(seed)")
      }
      let staying = after.filter(before.contains)
      let moves = written.count { $0.hasPrefix("item.moved") }
      #expect(moves == staying.count - Self.longestRise(staying, before), "seed \(seed)")
      #expect(written.isEmpty == (old == texts), "seed \(seed)")
    }
    #expect(list.replayed == list.state, "seed \(seed)")
  }

  /// By the plain quadratic way.
  private static func longestRise(_ wanted: [Int], _ present: [Int]) -> Int {
    let ranks = wanted.map { present.firstIndex(of: $0)! }
    var best: [Int] = []
    for (index, rank) in ranks.enumerated() {
      best.append(
        1 + (ranks.indices.prefix(index).filter { ranks[$0] < rank }.map { best[$0] }.max() ?? 0))
    }
    return best.max() ?? 0
  }
}
