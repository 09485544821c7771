import EventSourcing
import FastJSON
import SwipestreamTesting
import Testing

@testable import Domain

struct ListUndoTests {
  @Test func anEditGetsItsTextBack() throws {
    var list = try Harness(.todo, items: 3)
    let text = list.state.texts[ItemID(2)]
    try list.send("edit", ["item": 2, "text": "other"], id: "e")
    let outcome = try list.send("undo", ["command": "e"], id: "u")
    #expect(outcome == #"{"undone":"e","results":[{"item":2,"changed":true}]}"#)
    #expect(list.state.texts[ItemID(2)] == text)
    try list.send("undo", ["command": "u"])
    #expect(list.state.texts[ItemID(2)] == "other")
  }

  @Test func whatWasAddedIsDeletedAndRedoRestoresIt() throws {
    var list = try Harness(.todo, items: 3)
    try list.send("add", ["text": "four"], id: "a")
    try list.send("undo", ["command": "a"], id: "u")
    #expect(list.events.last == .itemDeleted(ItemID(4)))
    try list.send("undo", ["command": "u"])
    #expect(list.state.home(ItemID(4)) == SectionID(1))
  }

  @Test func completedItemsGoBackToTheirPlaces() throws {
    var list = try Harness(.todo, items: 5)
    let before = list.rows
    try list.send("complete", ["items": [4, 2, 3]], id: "c")
    try list.send("undo", ["command": "c"], id: "u")
    #expect(list.rows == before)
    try list.send("undo", ["command": "u"])
    #expect(list.rows[2] == [4, 2, 3])
  }

  @Test func nothingIsLedBackToASectionThatIsGone() throws {
    var list = try Harness(.plain, items: 1)
    try list.send("add-section", [:])
    let section: JSON = ["section": 2]
    try list.send("configure-swipe", ["section": 2, "preset": "todo"], id: "swipe")
    try list.send("configure-section", ["section": 2, "traits": ["canAdd": false]], id: "traits")
    try list.send("remove-section", section)
    for command in ["swipe", "traits"] {
      #expect(
        list.refusal("undo", ["command": .string(command)])
          == ServiceError(
            .rejected, "section 2 is gone, so the command cannot be taken back"), "\(command)")
    }
  }

  @Test func theListItselfAndAPurgeStay() throws {
    var list = Harness<ItemList>()
    try list.send("create", ["title": "t", "template": "plain"], id: "create")
    try list.send("add", ["text": "x"])
    try list.send("delete", ["item": 1])
    try list.send("purge", ["item": 1], id: "p")
    #expect(list.refusal("undo", ["command": "create"])?.code == .rejected)
    #expect(list.refusal("undo", ["command": "p"])?.code == .rejected)
  }

  @Test func aPlaceThatChangedSinceIsLeftAlone() throws {
    var list = try Harness(.plain, items: 4)
    try list.send("reorder", ["items": [3, 4], "first": true], id: "r")
    try list.send("reorder", ["item": 4, "last": true])
    let refusal = list.refusal("undo", ["command": "r"])
    #expect(refusal?.code == .rejected && refusal?.ids == [4])
  }

  @Test func thePlaceIsFoundAlsoWhereTheNeighbourIsGone() throws {
    var list = try Harness(.plain, items: 5)
    try list.send("reorder", ["item": 3, "first": true], id: "r")
    try list.send("delete", ["item": 2])
    try list.send("undo", ["command": "r"])
    #expect(list.rows[1] == [1, 3, 4, 5])
  }

  @Test func purgingForgetsTheTextsBefore() throws {
    var list = try Harness(.plain, items: 2)
    try list.send("edit", ["item": 1, "text": "secret"])
    try list.send("edit", ["item": 1, "text": "public"])
    try list.send("delete", ["item": 1])
    try list.send("purge", ["item": 1, "erase": true])
    let bytes = list.state.snapshotBytes
    for text in ["secret", "public"] {
      #expect(bytes.firstRange(of: Array(text.utf8)) == nil)
    }
    #expect(list.erased(ItemList.erasable).state == list.state)
  }

  /// Whatever was done: taking it back right away leads to what was in sight before.
  @Test(arguments: SeededRandom.seeds(30))
  func undoRightAwayRestoresTheList(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    var list = try Harness(.todo, items: 6)
    var undone = 0
    for number in 0..<300 {
      let (name, data) = SnapshotTests.listCommand(
        items: list.state.states.count - 1, &random)
      let before = list.state
      let rows = list.rows
      let events = list.events.count
      let id = "r\(number)"
      guard (try? list.send(name, data, id: id)) != nil, list.events.count > events,
        random.chance(oneIn: 2)
      else { continue }
      if list.events[events].type == "item.purged" {
        #expect(list.refusal("undo", ["command": .string(id)])?.code == .rejected)
        continue
      }
      let isNew = list.events[events...].contains {
        $0.type == "item.added" || $0.type == "section.added"
      }
      try list.send("undo", ["command": .string(id)])
      undone += 1
      #expect(list.rows == rows, "\(name) \(data.text)")
      if isNew { continue }
      #expect(list.state.states == before.states && list.state.texts == before.texts)
      #expect(list.state.sections == before.sections)
    }
    #expect(undone > 10)
    #expect(list.replayed == list.state)
  }
}

extension Harness<ItemList> {
  /// The items of each section, by its number.
  var rows: [Int: [Int]] {
    var rows: [Int: [Int]] = [:]
    for section in state.sectionOrder {
      var item = state.order.first(in: section.rawValue)
      var items: [Int] = []
      while item != 0 {
        items.append(Int(item))
        item = state.order.number(after: item)
      }
      rows[section.rawValue] = items
    }
    return rows
  }
}

extension ItemList {
  var withoutJournal: ItemList {
    var copy = self
    copy.journal = UndoJournal()
    return copy
  }
}
