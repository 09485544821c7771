import EventSourcing
import FastJSON
import Testing

@testable import Domain

extension Harness<ItemList> {
  /// Picks an item up in a session of its own, and forgets the previews.
  mutating func begin(_ item: Int, _ session: String = "d") throws {
    try send("drag-begin", ["item": .integer(item), "session": .string(session)])
    _ = previews()
  }

  mutating func over(_ members: JSON.Member..., session: String = "d") throws -> String {
    try send("drag-over", .object([.init("session", .string(session))] + members))
  }

  mutating func drop(_ session: String = "d") throws -> [String] {
    try written("drop", ["session": .string(session)])
  }

  /// Whether a message of the session finds none, and why.
  mutating func ended(_ session: String = "d") -> String? {
    let error = refusal("drag-over", ["session": .string(session), "first": true])
    return error?.code == .notFound ? error?.message : nil
  }
}

@Suite("Drags of an item")
struct DragTests {
  @Test("write one event, when they end")
  func moves() throws {
    var list = try Harness(.todo, items: 4)
    let before = list.events.count
    #expect(
      try list.send("drag-begin", ["item": 4], id: "the-command")
        == #"{"session":"the-command","item":4,"section":1,"after":3,"lease":10}"#)
    #expect(
      try list.send(
        "drag-over", ["session": "the-command", "section": 1, "first": true])
        == #"{"session":"the-command","item":4,"section":1,"after":null,"allowed":true,"#
        + #""redirected":false}"#)
    #expect(
      try list.send("drag-over", ["session": "the-command", "before": 2])
        == #"{"session":"the-command","item":4,"section":1,"after":1,"allowed":true,"#
        + #""redirected":false}"#)
    #expect(list.events.count == before)
    #expect(
      try list.send("drop", ["session": "the-command"])
        == #"{"session":"the-command","item":4,"section":1,"after":1,"moved":true,"#
        + #""allowed":true,"redirected":false}"#)
    #expect(list.events[before...] == [.itemMoved(ItemID(4), .init(SectionID(1), after: 1))])
    #expect(list.lastVia == "drag")
    #expect(list.sections == [[1, 4, 2, 3], []])
    #expect(
      list.previews() == [
        #"{"session":"the-command","item":4,"section":1,"after":3}"#,
        #"{"session":"the-command","item":4,"section":1,"after":null}"#,
        #"{"session":"the-command","item":4,"section":1,"after":1}"#,
        #"{"session":"the-command","item":4,"ended":"dropped","section":1,"after":1,"moved":true}"#,
      ])
    #expect(list.ended("the-command") == "the drag 'the-command' has ended: it was dropped")
  }

  @Test("may end at a place of their own")
  func dropSomewhere() throws {
    var list = try Harness(.todo, items: 3)
    try list.begin(1)
    _ = try list.over(.init("after", 2))
    #expect(
      try list.written("drop", ["session": "d", "section": 1, "last": true])
        == [#"item.moved {"item":1,"section":1,"after":3}"#])
  }

  @Test("onto the same place write nothing", arguments: ["first", "self", "none", "above"])
  func samePlace(_ how: String) throws {
    var list = try Harness(.todo, items: 2)
    let item = how == "above" ? 2 : 1
    try list.begin(item)
    switch how {
    case "first": _ = try list.over(.init("first", true))
    case "self": _ = try list.over(.init("after", 1))
    case "above": _ = try list.over(.init("after", 1))
    default: break
    }
    _ = list.previews()
    #expect(try list.drop() == [])
    let after = item == 2 ? "1" : "null"
    #expect(
      list.previews() == [
        #"{"session":"d","item":\#(item),"ended":"dropped","section":1,"after":\#(after),"#
          + #""moved":false}"#
      ])
  }

  @Test("that are cancelled restore the order and write nothing")
  func cancel() throws {
    var list = try Harness(.todo, items: 3)
    try list.begin(1)
    _ = try list.over(.init("last", true))
    let before = list.events.count
    #expect(
      try list.send("drag-cancel", ["session": "d"])
        == #"{"session":"d","item":1,"section":1,"after":null}"#)
    #expect(list.events.count == before && list.sections[0] == [1, 2, 3])
    #expect(list.previews().last == #"{"session":"d","item":1,"ended":"cancelled"}"#)
    #expect(list.ended() == "the drag 'd' has ended: it was cancelled")
  }

  @Test("end with their lease, which every message renews")
  func lease() throws {
    var list = try Harness(.todo, items: 3)
    list.now = 5000
    try list.begin(1)
    list.wait(until: 14_999)
    _ = try list.over(.init("after", 2))
    list.wait(until: 24_998)
    #expect(list.previews().count == 1 && list.live?.isOpen == true)
    // A message that is refused is one, too.
    #expect(
      list.refusal("drag-over", ["session": "d", "after": 99])?.message
        == "the anchor, item 99, never existed")
    list.wait(until: 34_997)
    #expect(list.live?.deadline == 34_998)
    list.wait(until: 34_998)
    #expect(list.live?.isOpen == false)
    #expect(list.previews() == [#"{"session":"d","item":1,"ended":"expired"}"#])
    #expect(
      list.ended() == "the drag 'd' has ended: there was no message of it for 10 seconds")
    #expect(list.sections[0] == [1, 2, 3])
    // Why it ended is forgotten in the end.
    list.wait(until: 100_000)
    #expect(list.ended()?.hasPrefix("there is no drag 'd'") == true)
  }

  @Test("end without a timer too: the next message finds the lease run out")
  func leaseWithoutTimer() throws {
    var list = try Harness(.todo, items: 2)
    try list.begin(1)
    list.now = 10_000
    #expect(list.refusal("drop", ["session": "d"])?.code == .notFound)
    #expect(list.previews() == [#"{"session":"d","item":1,"ended":"expired"}"#])
  }

  @Test(
    "end when the item cannot be dragged any more",
    arguments: [
      (["delete"], "item 2 was deleted"), (["delete", "purge"], "item 2 was deleted"),
      (["complete"], "item 2 was completed"),
    ])
  func vanish(_ commands: [String], _ reason: String) throws {
    var list = try Harness(.todo, items: 3)
    try list.begin(2)
    _ = try list.over(.init("first", true))
    _ = list.previews()
    for command in commands { try list.send(command, ["item": 2]) }
    #expect(list.previews() == [#"{"session":"d","item":2,"ended":"gone"}"#])
    #expect(list.ended() == "the drag 'd' has ended: \(reason)")
    #expect(list.refusal("drop", ["session": "d"])?.code == .notFound)
    #expect(list.refusal("drag-cancel", ["session": "d"])?.code == .notFound)
  }

  @Test("go on when others move, edit and delete around them")
  func surroundings() throws {
    var list = try Harness(.plain, items: 6)
    try list.begin(6)
    _ = try list.over(.init("after", 2))
    _ = list.previews()
    // The item above is deleted: held above the one that was below.
    try list.send("delete", ["item": 2])
    #expect(list.previews() == [#"{"session":"d","item":6,"section":1,"after":1}"#])
    // Something comes in between: still below the item above.
    try list.send("add", ["text": "new", "after": 1])
    #expect(list.previews() == [])
    // The item above is moved: below it all the same, as an event would say.
    try list.send("reorder", ["item": 1, "after": 3])
    try list.send("edit", ["item": 6, "text": "other"])
    #expect(list.previews() == [])
    #expect(try list.drop() == [#"item.moved {"item":6,"section":1,"after":1}"#])
    #expect(list.sections == [[7, 3, 1, 6, 4, 5]])
  }

  @Test("come to the section's end where both neighbours are gone")
  func neighboursGone() throws {
    var list = try Harness(.plain, items: 5)
    try list.begin(1)
    _ = try list.over(.init("after", 2))
    try list.send("delete", ["items": [2, 3]])
    #expect(try list.drop() == [#"item.moved {"item":1,"section":1,"after":5}"#])
  }

  @Test("are redirected where a section takes nothing")
  func redirected() throws {
    var list = try Harness(.todo, items: 3)
    try list.send("complete", ["item": 3])
    try list.begin(1)
    #expect(
      try list.over(.init("section", 2), .init("first", true))
        == #"{"session":"d","item":1,"section":1,"after":2,"allowed":true,"redirected":true}"#)
    #expect(
      try list.over(.init("after", 3))
        == #"{"session":"d","item":1,"section":1,"after":2,"allowed":true,"redirected":true}"#)
    #expect(
      try list.send("drop", ["session": "d", "section": 2, "last": true])
        == #"{"session":"d","item":1,"section":1,"after":2,"moved":true,"allowed":true,"#
        + #""redirected":true}"#)
    #expect(list.sections == [[2, 1], [3]])
    // What is completed may not be moved at all.
    #expect(
      list.refusal("drag-begin", ["item": 3])
        == ServiceError(
          .rejected, "item 3 may not be moved in this section: 'canReorder' is false", ids: [3]))
  }

  @Test("are vetoed where a section's order is fixed, and lead into others, empty ones too")
  func sections() throws {
    var list = try Harness(.plain, items: 2)
    func section(_ number: Int, _ traits: SectionTraits, after: Int?) -> ListEvent {
      .sectionAdded(
        SectionID(number),
        SectionContent(
          header: nil, footer: nil, traits: traits, swipe: SwipeSettings(), completedRole: false),
        after: after.map { SectionID($0) })
    }
    list.take([
      section(2, SectionTraits(canReorder: false), after: 1),
      section(3, SectionTraits(), after: 2),
      section(4, SectionTraits(acceptsMoves: false), after: nil),
    ])
    try list.begin(2)
    #expect(
      try list.over(.init("section", 2), .init("first", true))
        == #"{"session":"d","item":2,"section":1,"after":1,"allowed":false,"redirected":false}"#)
    // The section above takes nothing: the top of its own is nearest.
    #expect(
      try list.over(.init("section", 4), .init("last", true))
        == #"{"session":"d","item":2,"section":1,"after":null,"allowed":true,"redirected":true}"#)
    #expect(
      try list.over(.init("section", 3), .init("last", true))
        == #"{"session":"d","item":2,"section":3,"after":null,"allowed":true,"redirected":false}"#)
    // Without a section the item stays in the one that it is held over.
    #expect(
      try list.over(.init("first", true))
        == #"{"session":"d","item":2,"section":3,"after":null,"allowed":true,"redirected":false}"#)
    #expect(
      list.refusal("drag-over", ["session": "d", "section": 9, "first": true])?.code == .notFound)
    #expect(try list.drop() == [#"item.moved {"item":2,"section":3,"after":null}"#])
    #expect(list.sections == [[], [1], [], [2]])
    // A drop where it is vetoed leaves the item alone.
    try list.begin(1)
    #expect(try list.written("drop", ["session": "d", "section": 2, "first": true]) == [])
  }

  @Test("end when the item is fixed in its place, and do not begin then")
  func fixed() throws {
    var list = try Harness(.plain, items: 2)
    try list.begin(1)
    try list.send("edit", ["item": 1, "movable": false])
    #expect(list.previews() == [#"{"session":"d","item":1,"ended":"gone"}"#])
    #expect(list.ended() == "the drag 'd' has ended: item 1 may not be moved any more")
    #expect(list.refusal("drag-begin", ["item": 1])?.code == .rejected)
    try list.send("edit", ["item": 1, "movable": true])
    try list.begin(1)
  }

  @Test("come back to their own place when the section that they are held over goes or closes")
  func sectionGoes() throws {
    for (name, data) in [
      ("remove-section", ["section": 2, "items": "delete"] as JSON),
      ("configure-section", ["section": 2, "traits": ["acceptsMoves": false]]),
      ("configure-section", ["section": 2, "traits": ["canReorder": false]]),
    ] {
      var list = try Harness(.plain, items: 2)
      try list.send("add-section", ["last": true])
      try list.begin(1)
      #expect(try list.over(.init("section", 2), .init("first", true)).contains(#""section":2"#))
      _ = list.previews()
      try list.send(name, data)
      #expect(list.previews() == [#"{"session":"d","item":1,"section":1,"after":null}"#])
      #expect(try list.drop() == [])
    }
  }

  @Test("name anchors by the rules of reorder")
  func anchors() throws {
    var list = try Harness(.todo, items: 3)
    try list.send("delete", ["item": 3])
    try list.begin(1)
    #expect(list.refusal("drag-over", ["session": "d", "after": 3])?.code == .anchorGone)
    #expect(list.refusal("drag-over", ["session": "d", "before": 9])?.code == .invalid)
    #expect(
      list.refusal("drag-over", ["session": "d", "section": 1, "after": 3])?.code == .anchorGone)
    // The session goes on, at its own place.
    #expect(try list.drop() == [])
  }

  @Test("may be begun again by the same name, for the same item")
  func again() throws {
    var list = try Harness(.todo, items: 3)
    try list.begin(1)
    _ = try list.over(.init("after", 2))
    list.wait(until: 9000)
    #expect(
      try list.send("drag-begin", ["item": 1, "session": "d"])
        == #"{"session":"d","item":1,"section":1,"after":2,"lease":10}"#)
    list.wait(until: 18_000)
    #expect(
      list.refusal("drag-begin", ["item": 2, "session": "d"])?.message
        == "the drag 'd' is of item 1; give this one another name")
    // Two drags do not disturb one another, be they of one item.
    try list.begin(1, "other")
    _ = try list.over(.init("last", true), session: "other")
    #expect(try list.drop() == [#"item.moved {"item":1,"section":1,"after":2}"#])
    #expect(try list.drop("other") == [#"item.moved {"item":1,"section":1,"after":3}"#])
    // The name is free again.
    try list.begin(2)
    #expect(try list.drop() == [])
  }

  @Test("are bounded in number")
  func bound() throws {
    var list = try Harness(.todo, items: 1)
    for number in 0..<DragSessions.limit { try list.begin(1, "d\(number)") }
    #expect(list.refusal("drag-begin", ["item": 1, "session": "more"])?.code == .overloaded)
    #expect(try list.drop("d0") == [])
    try list.begin(1, "more")
    // Those that ended are remembered up to a bound.
    for number in 1..<DragSessions.limit { #expect(try list.drop("d\(number)") == []) }
    for number in 0..<DragSessions.limit {
      try list.begin(1, "e\(number)")
      #expect(try list.drop("e\(number)") == [])
    }
    #expect(list.ended("d0")?.hasPrefix("there is no drag 'd0'") == true)
    #expect(list.ended("e0") == "the drag 'e0' has ended: it was dropped")
  }

  @Test("say who drags")
  func by() throws {
    var list = try Harness(.todo, items: 2)
    list.by = "ada"
    try list.begin(1)
    list.by = nil
    _ = try list.over(.init("last", true))
    list.by = "bob"
    try list.send("drag-cancel", ["session": "d"])
    #expect(
      list.previews() == [
        #"{"session":"d","item":1,"section":1,"after":2,"by":"ada"}"#,
        #"{"session":"d","item":1,"ended":"cancelled","by":"bob"}"#,
      ])
  }

  @Test("show another end where their event is not written")
  func unwritten() throws {
    var list = try Harness(.todo, items: 2)
    try list.begin(1)
    _ = try list.over(.init("last", true))
    var live = list.live
    #expect(live?.takePreviews().map(\.ifUnwritten) == [nil])
    try list.send("drop", ["session": "d"])
    live = list.live
    #expect(
      live?.takePreviews().last?.ifUnwritten
        == Array(#"{"session":"d","item":1,"ended":"gone"}"#.utf8))
  }

  @Test("are refused where there is nothing to drag")
  func refusals() throws {
    var list = Harness<ItemList>()
    #expect(list.refusal("drag-begin", ["item": 1])?.message == "there is no such list")
    list = try Harness(.todo, items: 2)
    try list.send("delete", ["item": 1])
    #expect(list.refusal("drag-begin", ["item": 1])?.code == .rejected)
    #expect(list.refusal("drag-begin", ["item": 9])?.code == .notFound)
    for (name, data, message) in [
      (
        "drag-begin", #"{"item":1,"session":"é"}"#,
        "'session' must be a drag's name, 1 to 64 printable ASCII characters"
      ),
      ("drag-begin", #"{"item":1,"section":1}"#, "'section' is not a field of this command"),
      (
        "drag-over", #"{"session":"d"}"#,
        "one of 'after', 'before', 'first' and 'last' must be given"
      ),
      (
        "drag-over", #"{"first":true}"#,
        "'session' must be a drag's name, 1 to 64 printable ASCII characters"
      ),
      (
        "drop", #"{"session":"d","section":1}"#,
        "'section' must come with one of 'after', 'before', 'first' and 'last'"
      ),
      ("drag-cancel", #"{"session":"d","first":true}"#, "'first' is not a field of this command"),
    ] {
      #expect(refusal(ListCommand.self, name, data) == "invalid: " + message)
    }
  }
}

extension ItemPlace {
  fileprivate init(_ section: SectionID, after: Int?) {
    self.init(section: section, after: after.map { ItemID($0) })
  }
}
