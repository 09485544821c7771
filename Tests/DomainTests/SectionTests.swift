import EventSourcing
import FastJSON
import SwipestreamTesting
import Testing

@testable import Domain

@Suite("Sections")
struct SectionTests {
  @Test("are added with what is given, the rest as usual, and numbers are never used again")
  func adds() throws {
    var list = try Harness(.plain, items: 1)
    #expect(try list.send("add-section", ["header": "Later"]) == #"{"section":2}"#)
    #expect(
      list.events.last.map(eventData)
        == #"{"section":2,"header":"Later","footer":null,"traits":{"canAdd":true,"canComplete":true,"#
        + #""canDelete":true,"canReorder":true,"acceptsMoves":true},"completedRole":false,"after":1}"#
    )
    try list.send("remove-section", ["section": 2])
    let whole: JSON = [
      "header": "h", "footer": "f", "traits": ["canAdd": false], "completedRole": true,
      "left-to-right": ["buttons": [["action": "delete", "color": "#000000"]]],
      "style": ["weight": "bold", "size": 17], "first": true,
    ]
    #expect(try list.send("add-section", whole) == #"{"section":3}"#)
    #expect(list.state.sectionOrder == [SectionID(3), SectionID(1)])
    let section = try #require(list.state.section(SectionID(3)))
    #expect(section.header == "h" && section.footer == "f" && section.completedRole)
    #expect(section.traits == SectionTraits(canAdd: false))
    #expect(section.style == SectionStyle(weight: 700, size: 17))
    #expect(section.swipe.leftToRight.buttons.map(\.action) == [.delete])
    #expect(list.replayed == list.state)
  }

  @Test("for completed items are one at most")
  func oneCompletedSection() throws {
    var list = try Harness(.todo, items: 1)
    #expect(
      list.refusal("add-section", ["completedRole": true])
        == ServiceError(
          .rejected,
          "section 2 is for completed items already, and a list has one such section"))
    try list.send("remove-section", ["section": 2])
    try list.send("add-section", ["completedRole": true])
    try list.send("complete", ["item": 1])
    #expect(list.rows == [1: [], 3: [1]])
  }

  @Test("get new titles; the same ones, and those left out, change nothing")
  func retitles() throws {
    var list = try Harness(.todo, items: 0)
    #expect(
      try list.written("retitle-section", ["section": 1, "footer": "End"])
        == [#"section.retitled {"section":1,"header":"To do","footer":"End"}"#])
    #expect(
      try list.written("retitle-section", ["section": 1, "header": .null])
        == [#"section.retitled {"section":1,"header":null,"footer":"End"}"#])
    #expect(try list.written("retitle-section", ["section": 1, "header": .null]) == [])
    #expect(list.refusal("retitle-section", ["section": 9, "header": "x"])?.code == .notFound)
    #expect(
      try list.written("retitle", ["title": "New"]) == [#"list.retitled {"title":"New"}"#])
    #expect(try list.written("retitle", ["title": "New"]) == [])
  }

  @Test("move by anchors, and onto their own place without an event")
  func moves() throws {
    var list = try Harness(.plain, items: 0)
    for _ in 0..<3 { try list.send("add-section", [:]) }
    #expect(
      try list.written("move-section", ["section": 4, "before": 2])
        == [#"section.moved {"section":4,"after":1}"#])
    #expect(list.state.sectionOrder.map(\.rawValue) == [1, 4, 2, 3])
    for data in [
      ["section": 4, "after": 1], ["section": 4, "before": 2], ["section": 1, "first": true],
      ["section": 3, "last": true],
    ] as [JSON] {
      #expect(try list.written("move-section", data) == [])
    }
    try list.send("remove-section", ["section": 2])
    #expect(
      list.refusal("move-section", ["section": 1, "after": 2])
        == ServiceError(.anchorGone, "the anchor, section 2, is removed"))
    #expect(
      list.refusal("move-section", ["section": 1, "after": 1])
        == ServiceError(.invalid, "the anchor, section 1, is the section that is moved"))
    #expect(
      list.refusal("move-section", ["section": 1, "before": 9])
        == ServiceError(.invalid, "the anchor, section 9, never existed"))
    #expect(list.refusal("move-section", ["section": 2, "first": true])?.code == .notFound)
  }

  @Test("with items go only where it is said what becomes of those")
  func needsItems() throws {
    var list = try Harness(.plain, items: 2)
    #expect(
      list.refusal("remove-section", ["section": 1])
        == ServiceError(
          .rejected,
          "section 1 has 2 items: say what becomes of them by 'items', which is 'move' (with 'to', "
            + "another section) or 'delete'", ids: [1]))
    #expect(
      list.refusal("remove-section", ["section": 1, "items": "move", "to": 1])?.code == .invalid)
    #expect(
      list.refusal("remove-section", ["section": 1, "items": "move", "to": 2])?.code == .notFound)
  }

  @Test("are removed with their items moved, in one batch, the removal last")
  func removesMoving() throws {
    var list = try Harness(.plain, items: 3)
    try list.send("add-section", [:])
    try list.send("add", ["text": "x", "section": 2])
    try list.send("complete", ["item": 2])
    #expect(
      try list.written("remove-section", ["section": 1, "items": "move", "to": 2]) == [
        #"item.moved {"item":1,"section":2,"after":4}"#,
        #"item.moved {"item":2,"section":2,"after":1}"#,
        #"item.moved {"item":3,"section":2,"after":2}"#, #"section.removed {"section":1}"#,
      ])
    #expect(list.rows == [2: [4, 1, 2, 3]])
    #expect(list.state.state(ItemID(2)) == .completed)
  }

  @Test("are removed with their items deleted, which return elsewhere")
  func removesDeleting() throws {
    var list = try Harness(.plain, items: 2)
    try list.send("add-section", [:])
    #expect(
      try list.written("remove-section", ["section": 1, "items": "delete"]) == [
        #"item.deleted {"item":1}"#, #"item.deleted {"item":2}"#,
        #"section.removed {"section":1}"#,
      ])
    try list.send("restore", ["items": [1, 2]])
    #expect(list.rows == [2: [1, 2]] || list.rows == [2: [2, 1]])
    try list.send("delete", ["item": 1])
    try list.send("remove-section", ["section": 2, "items": "delete"])
    #expect(
      list.refusal("restore", ["item": 1])
        == ServiceError(
          .rejected,
          "item 1 cannot return, as there is no section for it; add one with add-section first",
          ids: [1]))
    #expect(
      list.refusal("add", ["text": "x"])
        == ServiceError(
          .rejected, "no section of the list takes new items: none has 'canAdd' true"))
  }

  @Test("for completed items go like others: what is completed stays so, in another place")
  func removesTheCompletedSection() throws {
    var list = try Harness(.todo, items: 3)
    try list.send("complete", ["items": [1, 2]])
    try list.send("remove-section", ["section": 2, "items": "move", "to": 1])
    #expect(list.rows == [1: [3, 1, 2]])
    #expect(list.state.state(ItemID(1)) == .completed)
    // From now on items are completed where they are, and what was completed before can go back.
    try list.send("complete", ["item": 3])
    try list.send("reopen", ["items": [1, 2]])
    #expect(list.rows == [1: [3, 1, 2]] || list.rows == [1: [1, 2, 3]])
    #expect(list.refusal("reorder", ["item": 1, "last": true]) == nil)
  }

  @Test("are not moved into by a removal where that is forbidden, which names the trait")
  func removalKeepsTraits() throws {
    var list = try Harness(.todo, items: 1)
    try list.send("add-section", ["traits": ["acceptsMoves": false]])
    #expect(
      list.refusal("remove-section", ["section": 1, "items": "move", "to": 3])
        == ServiceError(
          .rejected, "item 1 may not be moved into section 3: 'acceptsMoves' is false", ids: [1]))
    #expect(
      list.refusal("remove-section", ["section": 1, "items": "move", "to": 2])
        == ServiceError(
          .rejected, "item 1 may not be moved into the section of completed items", ids: [1]))
    try list.send("configure-section", ["section": 1, "traits": ["canDelete": false]])
    #expect(
      list.refusal("remove-section", ["section": 1, "items": "delete"])
        == ServiceError(
          .rejected, "item 1 may not be deleted in this section: 'canDelete' is false", ids: [1]))
  }

  @Test("are configured trait by trait and member by member; null takes a member away")
  func configures() throws {
    var list = try Harness(.plain, items: 1)
    #expect(
      try list.written(
        "configure-section",
        [
          "section": 1, "traits": ["canAdd": false],
          "style": ["alignment": "center", "weight": 250],
        ]
      ) == [
        #"section.traits-configured {"section":1,"traits":{"canAdd":false,"canComplete":true,"#
          + #""canDelete":true,"canReorder":true,"acceptsMoves":true}}"#,
        #"section.styled {"section":1,"style":{"alignment":"center","weight":250}}"#,
      ])
    #expect(
      try list.written(
        "configure-section",
        ["section": 1, "style": ["alignment": .null, "size": 12.5, "headerHeight": 0]]
      ) == [#"section.styled {"section":1,"style":{"weight":250,"size":12.5,"headerHeight":0}}"#])
    #expect(
      try list.written("configure-section", ["section": 1, "traits": [:], "style": [:]]) == [])
    #expect(
      try list.written("configure-section", ["section": 1, "style": .null])
        == [#"section.styled {"section":1,"style":{}}"#])
    #expect(
      list.refusal("add", ["text": "x", "section": 1])?.message
        == "section 1 takes no new items: 'canAdd' is false")
  }

  static let invalid: [(String, String, String)] = [
    ("add-section", #"{"header":5}"#, "'header' must be a string or null"),
    (
      "add-section", #"{"footer":"\#(String(repeating: "x", count: 999))"}"#,
      "'footer' must be null, or a string of at most 998 bytes"
    ),
    (
      "add-section", #"{"traits":{"canFly":true}}"#,
      "'traits.canFly' is not a field of this command"
    ),
    ("add-section", #"{"traits":{"canAdd":1}}"#, "'traits.canAdd' must be true or false"),
    (
      "add-section", ##"{"left-to-right":{"buttons":[{"action":"flag","color":"#000000"}]}}"##,
      "'left-to-right.buttons[0].action' must be an action for items, or 'none'"
    ),
    ("configure-section", #"{"section":1}"#, "'traits' or 'style' must be given"),
    (
      "configure-section", #"{"section":1,"style":{"alignment":"up"}}"#,
      "'style.alignment' must be one of 'left', 'center', 'right', 'natural'"
    ),
    (
      "configure-section", #"{"section":1,"style":{"weight":99}}"#,
      "'style.weight' must be an integer from 100 to 900, or one of thin, extra-light, light, "
        + "regular, medium, semi-bold, bold, extra-bold, black"
    ),
    (
      "configure-section", #"{"section":1,"style":{"size":0}}"#,
      "'style.size' must be a number from 1 to 1000"
    ),
    (
      "configure-section", #"{"section":1,"style":{"headerHeight":"x"}}"#,
      "'style.headerHeight' must be a number from 0 to 1000"
    ),
    ("configure-section", #"{"section":1,"style":7}"#, "'style' must be an object"),
    ("retitle-section", #"{"section":1}"#, "'header' or 'footer' must be given"),
    (
      "move-section", #"{"section":1}"#,
      "one of 'after', 'before', 'first' and 'last' must be given"
    ),
    (
      "remove-section", #"{"section":1,"items":"keep"}"#,
      "'items' must be 'move' (with 'to', a section) or 'delete'"
    ),
    (
      "remove-section", #"{"section":1,"items":"move"}"#,
      "'to' must be given with 'move': the section that the items go to"
    ),
    (
      "remove-section", #"{"section":1,"items":"delete","to":2}"#,
      "'to' must be left out with 'delete'"
    ),
    (
      "remove-section", #"{"section":1,"to":2}"#, "'to' goes with 'items', which must be 'move'"
    ),
    ("retitle", #"{"title":""}"#, "'title' must be 1 to 998 bytes"),
  ]

  @Test("refuse what is no section's", arguments: invalid)
  func refuses(_ name: String, _ data: String, _ message: String) {
    #expect(refusal(ListCommand.self, name, data) == "invalid: " + message)
  }

  @Test("are a thousand at most")
  func limit() throws {
    var list = try Harness(.plain, items: 0)
    for _ in 1..<ItemList.sectionLimit { try list.send("add-section", [:]) }
    #expect(
      list.refusal("add-section", [:])
        == ServiceError(.rejected, "a list has at most 1000 sections; remove one first"))
    try list.send("remove-section", ["section": 7])
    #expect(try list.send("add-section", [:]) == #"{"section":1001}"#)
  }

  @Test("come back by undo where they were, with their items")
  func undo() throws {
    var list = try Harness(.plain, items: 3)
    for header in ["b", "c"] { try list.send("add-section", ["header": .string(header)]) }
    for fate in [["items": "delete"], ["items": "move", "to": 3]] as [JSON] {
      let before = list.rows
      let members = [JSON.Member("section", 1)] + (fate.members ?? [])
      let id = "remove-\(list.events.count)"
      try list.send("remove-section", .object(members), id: id)
      try list.send("undo", ["command": .string(id)])
      #expect(list.rows == before)
      #expect(list.state.sectionOrder.map(\.rawValue) == [1, 2, 3])
    }
    try list.send("add-section", [:], id: "added")
    try list.send("add", ["text": "x", "section": 4])
    #expect(list.refusal("undo", ["command": "added"])?.code == .rejected)
    #expect(list.replayed == list.state)
  }

  /// Sections as anyone would write them at first.
  @Test("are where a model has them, each item in one place", arguments: SeededRandom.seeds(30))
  func model(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    var list = try Harness(.plain, items: 8)
    var order = [1]
    var items = [1: Array(1...8)]
    var done: [String: Int] = [:]
    for _ in 0..<800 {
      let (name, data) = RandomSections.command(items: 8, &random)
      guard ["add-section", "move-section", "remove-section"].contains(name),
        (try? list.send(name, data)) != nil
      else { continue }
      done[name, default: 0] += 1
      let section = data["section"]?.integer ?? list.state.sections.count
      order.removeAll { $0 == section }
      let held = items.removeValue(forKey: section) ?? []
      if name == "remove-section" {
        if let target = data["to"]?.integer { items[target]? += held }
      } else {
        items[section] = held
        let index =
          data["after"]?.integer.flatMap { order.firstIndex(of: $0) }.map { $0 + 1 }
          ?? data["before"]?.integer.flatMap { order.firstIndex(of: $0) }
          ?? (data["first"] == true ? 0 : order.count)
        order.insert(section, at: index)
      }
      #expect(list.state.sectionOrder.map(\.rawValue) == order, "seed \(seed)")
      #expect(list.rows == items, "seed \(seed)")
    }
    #expect(list.replayed == list.state && done.count >= 2, "seed \(seed)")
    #expect(try ItemList(snapshotBytes: list.state.snapshotBytes) == list.state)
  }
}
