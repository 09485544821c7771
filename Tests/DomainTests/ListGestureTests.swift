import EventSourcing
import FastJSON
import Testing

@testable import Domain

struct ListGestureTests {
  static func press(_ item: Int, _ button: Int) -> JSON {
    ["item": .integer(item), "direction": "right-to-left", "button": .integer(button)]
  }

  @Test func revealsTheSectionsButtons() throws {
    var list = try Harness(.todo, items: 2)
    try list.send("complete", ["item": 2])
    #expect(
      try list.send("swipe", ["item": 1, "direction": "right-to-left", "extent": 3])
        == ##"{"result":"revealed","direction":"right-to-left","buttons":[{"index":0,"##
        + ##""action":"delete","title":"Delete","color":"#FF3B30","padding":10,"closes":false},"##
        + ##"{"index":1,"action":"complete","title":"Complete","color":"#4CD964","##
        + ##""padding":10,"closes":true}],"transition":"border","openThreshold":0.5,"##
        + ##""keepsOpen":true,"bounces":true,"bounceRate":1,"##
        + ##""expansion":{"button":null,"threshold":1.3,"fills":false}}"##)
    #expect(
      try list.send("swipe", ["item": 2, "direction": "right-to-left", "extent": 1])
        == ##"{"result":"revealed","direction":"right-to-left","buttons":[{"index":0,"##
        + ##""action":"delete","title":"Delete","color":"#FF3B30","padding":10,"closes":false},"##
        + ##"{"index":1,"action":"reopen","title":"Reopen","color":"#007AFF","##
        + ##""padding":10,"closes":true}],"transition":"border","openThreshold":0.5,"##
        + ##""keepsOpen":true,"bounces":true,"bounceRate":1,"##
        + ##""expansion":{"button":null,"threshold":1.3,"fills":false}}"##)
    #expect(
      try list.send("swipe", ["item": 1, "direction": "left-to-right", "extent": 3])
        == #"{"result":"closed"}"#)
  }

  @Test func pressActs() throws {
    var list = try Harness(.todo, items: 2)
    #expect(
      try list.send("press", Self.press(1, 1))
        == #"{"result":"triggered","direction":"right-to-left","button":1,"action":"complete","#
        + #""closes":true,"command":"complete","changed":true,"removes":false,"section":2,"#
        + #""after":null}"#)
    #expect(list.lastVia == "press")
    #expect(
      try list.send("press", Self.press(1, 1))
        == #"{"result":"triggered","direction":"right-to-left","button":1,"action":"reopen","#
        + #""closes":true,"command":"reopen","changed":true,"removes":false,"section":1,"#
        + #""after":null}"#)
    #expect(list.sections == [[1, 2], []])
    #expect(
      try list.send("press", Self.press(2, 0))
        == #"{"result":"triggered","direction":"right-to-left","button":0,"action":"delete","#
        + #""closes":false,"command":"delete","changed":true,"removes":true}"#)
    #expect(list.sections == [[1], []])
  }

  @Test func anItemThatIsCompletedInItsPlaceGoesNowhere() throws {
    var list = try Harness(.plain, items: 1)
    try list.send(
      "configure-swipe", ["section": 1, "right-to-left": ["buttons": [["action": "complete"]]]])
    #expect(
      try list.send("press", Self.press(1, 0))
        == #"{"result":"triggered","direction":"right-to-left","button":0,"action":"complete","#
        + #""closes":true,"command":"complete","changed":true,"removes":false}"#)
    #expect(
      try list.send("press", Self.press(1, 0))
        == #"{"result":"triggered","direction":"right-to-left","button":0,"action":"complete","#
        + #""closes":true,"command":"complete","changed":false,"removes":false}"#)
  }

  @Test func aLongSwipeActs() throws {
    var list = try Harness(.todo, items: 2)
    try list.send(
      "configure-swipe",
      [
        "section": 1,
        "left-to-right": ["buttons": [["action": "complete"]], "expansion": ["button": 0]],
      ])
    let swipe: JSON = ["item": 1, "direction": "left-to-right", "extent": 1.31]
    #expect(
      try list.written("swipe", swipe) == [#"item.completed {"item":1,"section":2,"after":null}"#])
    #expect(list.lastVia == "swipe")
    // The item is in another section now, whose rows are swiped otherwise.
    #expect(try list.send("swipe", swipe) == #"{"result":"closed"}"#)
  }

  @Test func whatTheSectionForbidsIsRejected() throws {
    var list = try Harness(.todo, items: 1)
    try list.send(
      "configure-swipe",
      [
        "section": 2,
        "right-to-left": [
          "buttons": [["action": "complete"], ["action": "more"], ["action": "none"]]
        ],
      ])
    try list.send("complete", ["item": 1])
    // Completed already: nothing to forbid.
    #expect(try list.written("press", Self.press(1, 0)) == [])
    #expect(
      try list.send("press", Self.press(1, 1))
        == #"{"result":"sheet","title":"Actions","actions":[{"title":"Cancel"},"#
        + #"{"title":"Delete","command":"delete","data":{"item":1},"destructive":true},"#
        + #"{"title":"Reopen","command":"reopen","data":{"item":1}}]}"#)
    #expect(try list.written("press", Self.press(1, 2)) == [])
    #expect(
      list.refusal("press", Self.press(1, 3))
        == ServiceError(
          .invalid, "'button' must be the index of one of the 3 'right-to-left' buttons"))
    #expect(list.refusal("press", Self.press(4, 9))?.code == .notFound)
  }

  @Test func forbiddenByTraits() throws {
    var list = try Harness(.plain, items: 0)
    let swipe = SwipeSettings(
      rightToLeft: SwipeSide(buttons: [
        SwipeButton(action: .complete, color: "#000000"),
        SwipeButton(action: .delete, color: "#000000"),
        SwipeButton(action: .more, color: "#000000"),
      ]))
    let content = SectionContent(
      header: nil, footer: nil, traits: SectionTraits(canComplete: false, canDelete: false),
      swipe: swipe, completedRole: false)
    list.take([.sectionAdded(SectionID(2), content, after: nil)])
    try list.send("add", ["text": "x"])
    #expect(list.refusal("press", Self.press(1, 0))?.code == .rejected)
    #expect(list.refusal("press", Self.press(1, 1))?.code == .rejected)
    #expect(
      try list.send("press", Self.press(1, 2))
        == #"{"result":"sheet","title":"Actions","actions":[{"title":"Cancel"}]}"#)
  }
}
