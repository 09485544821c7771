import EventSourcing
import FastJSON
import SwipestreamTesting
import Testing

@testable import Domain

/// The texts that a list keeps.
struct ItemTextsTests {
  @Test("Texts in one piece of memory are those of an array", arguments: SeededRandom.seeds(10))
  func randomChanges(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    var texts = ItemTexts()
    var naive = [""]
    for _ in 0..<2000 {
      let text = String(
        repeating: ["é", "a", "\u{0}", "漢"].randomElement(using: &random)!,
        count: Int.random(in: 0...60, using: &random))
      let item = ItemID(Int.random(in: 1...max(naive.count - 1, 1), using: &random))
      switch Int.random(in: 0..<4, using: &random) {
      case _ where naive.count == 1, 0:
        texts.append(text)
        naive.append(text)
      case 1:
        texts.drop(item)
        naive[item.rawValue] = ""
      default:
        texts.replace(item, with: text)
        naive[item.rawValue] = text
      }
    }
    #expect(naive.indices.dropFirst().allSatisfy { texts[ItemID($0)] == naive[$0] })
    var fresh = ItemTexts()
    for text in naive.dropFirst() { fresh.append(text) }
    #expect(texts == fresh)
    let size = naive.reduce(0) { $0 + $1.utf8.count }
    #expect(texts.memoryFootprint < 4 * size + 16_384 + 64 * naive.count, "dropped texts stay")
  }

  @Test("A text that is dropped or replaced is overwritten")
  func overwritten() {
    var texts = ItemTexts()
    for text in ["secret one", "secret two", "three"] { texts.append(text) }
    texts.drop(ItemID(1))
    texts.replace(ItemID(2), with: "x")
    var dumped = ""
    dump(texts, to: &dumped)
    // "s" is in none of the texts that are left.
    #expect(!dumped.contains("- \(UInt8(ascii: "s"))\n"))
    #expect(dumped.contains("- \(UInt8(ascii: "x"))\n"))
  }

  @Test("A purged item's texts are in no snapshot")
  func purged() throws {
    func has(_ text: String, _ state: ItemList) -> Bool {
      !state.snapshotBytes.ranges(of: Array(text.utf8)).isEmpty
    }
    var list = try Harness(.todo, items: 2)
    try list.send("edit", ["item": 1, "text": "first secret"])
    #expect(has("first secret", list.state))
    try list.send("edit", ["item": 1, "text": "second secret"])
    // The one before is kept to take the edit back.
    #expect(has("first secret", list.state) && has("second secret", list.state))
    try list.send("delete", ["item": 1])
    #expect(has("second secret", list.state))
    try list.send("purge", ["item": 1])
    #expect(!has("secret", list.state) && has("item 2", list.state))
    #expect(list.state.text(of: ItemID(1)) == nil)
    #expect(list.state.text(of: ItemID(2)) == "item 2")
  }

  @Test("A hundred thousand items take little more memory than their texts")
  func memory() {
    var list = ItemList()
    list.apply(.created(title: "t", template: .plain))
    list.apply(.sectionAdded(SectionID(1), ListTemplate.plain.sections[0], after: nil))
    for number in 1...100_000 {
      let above = number == 1 ? nil : ItemID(number - 1)
      list.apply(
        .itemAdded(
          ItemID(number), text: "An item of about forty bytes, \(number)",
          ItemPlace(section: SectionID(1), after: above)))
    }
    #expect(list.memoryFootprint < 16 << 20)
    #expect(list.snapshotBytes.count < 5 << 20)
  }

  /// Random texts, edits, purges and erasures.
  @Test(
    "A list's state is that of its erased log, which has no erased text",
    arguments: SeededRandom.seeds(20))
  func erasedLog(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    var list = Harness<ItemList>()
    try list.send("create", ["title": "t", "template": "todo"])
    for _ in 0..<300 {
      let item = JSON.integer(.random(in: 1...list.state.states.count, using: &random))
      let text = JSON.string("text \(Int.random(in: 0..<5, using: &random))")
      let (name, data): (String, JSON) =
        switch Int.random(in: 0..<8, using: &random) {
        case 0..<2: ("add", ["text": text])
        case 2, 3: ("edit", ["item": item, "text": text])
        case 4: ("complete", ["item": item])
        case 5: ("delete", ["item": item])
        case 6: ("purge", ["item": item])
        default: ("purge", ["item": item, "erase": true])
        }
      _ = try? list.send(name, data)
    }
    let erased = list.erased(ItemList.erasable)
    #expect(erased.state == list.state, "seed \(seed)")
    #expect(erased.state.snapshotBytes == list.state.snapshotBytes, "seed \(seed)")
  }
}
