import EventSourcing
import FastJSON
import Testing

@testable import Domain

extension Harness<ItemList> {
  /// A list with items 1 to `count`, in this order.
  init(_ template: ListTemplate, items count: Int) throws {
    self.init()
    try send("create", ["title": "t", "template": .string(template.name)])
    for index in 0..<count { try send("add", ["text": .string("item \(index + 1)")]) }
  }

  /// The items of each section, in order.
  var sections: [[Int]] { state.sectionOrder.map { state.items(in: $0) } }
}

extension ItemList {
  func items(in section: SectionID) -> [Int] {
    var items: [Int] = []
    var item = order.first(in: section.rawValue)
    while item != 0 {
      items.append(Int(item))
      item = order.number(after: item)
    }
    return items
  }
}

struct ListTests {
  @Test func createsFromATemplate() throws {
    var todo = Harness<ItemList>()
    #expect(
      try todo.written("create", ["title": "Chores", "template": "todo"]) == [
        #"list.created {"title":"Chores","template":"todo"}"#,
        ##"section.added {"section":1,"header":"To do","footer":null,"traits":{"canAdd":true,"##
          + ##""canComplete":true,"canDelete":true,"canReorder":true,"acceptsMoves":true,"##
          + ##""right-to-left":{"buttons":[{"action":"delete","color":"#FF3B30","padding":10,"##
          + ##""closes":false},{"action":"complete","color":"#4CD964","padding":10,"##
          + ##""closes":true}],"transition":"border","openThreshold":0.5,"keepsOpen":true,"##
          + ##""bounces":true,"bounceRate":1,"expansion":{"button":null,"threshold":1.3,"##
          + ##""fills":false}}},"completedRole":false,"after":null}"##,
        ##"section.added {"section":2,"header":"Completed","footer":null,"traits":{"##
          + ##""canAdd":false,"canComplete":false,"canDelete":true,"canReorder":false,"##
          + ##""acceptsMoves":false,"##
          + ##""right-to-left":{"buttons":[{"action":"delete","color":"#FF3B30","padding":10,"##
          + ##""closes":false},{"action":"reopen","color":"#007AFF","padding":10,"##
          + ##""closes":true}],"transition":"border","openThreshold":0.5,"keepsOpen":true,"##
          + ##""bounces":true,"bounceRate":1,"expansion":{"button":null,"threshold":1.3,"##
          + ##""fills":false}}},"completedRole":true,"after":1}"##,
      ])
    var plain = Harness<ItemList>()
    #expect(
      try plain.written("create", ["title": "Cities", "template": "plain"]) == [
        #"list.created {"title":"Cities","template":"plain"}"#,
        #"section.added {"section":1,"header":null,"footer":null,"traits":{"canAdd":true,"#
          + #""canComplete":true,"canDelete":true,"canReorder":true,"acceptsMoves":true},"#
          + #""completedRole":false,"after":null}"#,
      ])
    #expect(
      plain.refusal("create", ["title": "x", "template": "plain"])
        == ServiceError(.rejected, "the list exists already"))
  }

  @Test func isNotThereBeforeItIsCreated() {
    var list = Harness<ItemList>()
    let commands: [(String, JSON)] = [
      ("add", ["text": "x"]), ("complete", ["item": 1]), ("edit", ["item": 1, "text": "x"]),
      ("reorder", ["item": 1, "first": true]),
      ("configure-swipe", ["section": 1, "left-to-right": [:]]),
      ("swipe", ["item": 1, "direction": "left-to-right", "extent": 1]),
    ]
    for (name, data) in commands {
      #expect(list.refusal(name, data) == ServiceError(.notFound, "there is no such list"))
    }
  }

  static let invalid: [(String, String, String)] = [
    ("create", #"{"title":"","template":"todo"}"#, "'title' must be 1 to 998 bytes"),
    (
      "create", #"{"title":"x"}"#,
      "'template' must be 'todo', 'plain', or a list that is there, as 'list/packing'"
    ),
    (
      "create", #"{"title":"x","template":"other"}"#,
      "'template' must be 'todo', 'plain', or a list that is there, as 'list/packing'"
    ),
    ("create", #"{"title":"x","template":"todo","x":1}"#, "'x' is not a field of this command"),
    ("add", #"{"text":5}"#, "'text' must be a string"),
    (
      "add", #"{"text":" \n\t\u00a0\u2003"}"#,
      "'text' must be 1 to 65536 bytes without the space around it"
    ),
    (
      "edit", #"{"item":1,"text":""}"#,
      "'text' must be 1 to 65536 bytes without the space around it"
    ),
    ("add", #"{"text":"x","section":0}"#, "'section' must be a positive integer"),
    ("add", #"{"text":"x","last":false}"#, "'last' must be true"),
    ("complete", #"{"item":1,"items":[1]}"#, "'item' must be left out where 'items' is given"),
    ("delete", #"{"items":[]}"#, "'items' must not be empty"),
    ("purge", #"{"item":1,"erase":1}"#, "'erase' must be true or false"),
    ("reorder", #"{"item":1}"#, "one of 'after', 'before', 'first' and 'last' must be given"),
    ("configure-swipe", #"{"left-to-right":{}}"#, "'section' or 'item' must be given"),
  ]

  @Test(arguments: invalid)
  func refuses(_ name: String, _ data: String, _ message: String) {
    #expect(refusal(ListCommand.self, name, data) == "invalid: " + message)
  }

  @Test(arguments: [
    "deliver", "flag", "section", "Add-section",
  ])
  func knowsNoOtherCommand(_ name: String) {
    #expect(
      refusal(ListCommand.self, name, "{}") == "unknown-command: a list has no command '\(name)'")
  }

  @Test func adds() throws {
    var list = try Harness(.todo, items: 2)
    #expect(try list.send("add", ["text": " \u{2003}x y\r\n"]) == #"{"item":3}"#)
    #expect(
      list.events.last.map(eventData) == #"{"item":3,"section":1,"text":"x y","after":2}"#)
    #expect(
      try list.written("add", ["text": "x y", "before": 2])
        == [#"item.added {"item":4,"section":1,"text":"x y","after":1}"#])
    #expect(
      try list.written("add", ["text": "z", "first": true, "section": 1])
        == [#"item.added {"item":5,"section":1,"text":"z","after":null}"#])
    try list.send("add", ["text": "w", "after": 5])
    #expect(list.sections == [[5, 6, 1, 4, 2, 3], []])
  }

  @Test func addsWhereItMay() throws {
    var list = try Harness(.todo, items: 2)
    try list.send("complete", ["item": 1])
    #expect(
      list.refusal("add", ["text": "x", "section": 2])
        == ServiceError(.rejected, "section 2 takes no new items: 'canAdd' is false"))
    #expect(
      list.refusal("add", ["text": "x", "section": 3])
        == ServiceError(.notFound, "there is no section 3", ids: [3]))
    #expect(
      list.refusal("add", ["text": "x", "after": 1])
        == ServiceError(.anchorGone, "the anchor, item 1, is deleted or not in section 1"))
    #expect(
      list.refusal("add", ["text": "x", "after": 3])
        == ServiceError(.invalid, "the anchor, item 3, never existed"))
  }

  @Test func textMayBe64KiB() throws {
    var list = try Harness(.plain, items: 0)
    let most = String(repeating: "é", count: 32 << 10)
    #expect(try list.send("add", ["text": .string(" " + most)]) == #"{"item":1}"#)
    #expect(list.refusal("add", ["text": .string(most + ".")])?.code == .invalid)
  }

  @Test func edits() throws {
    var list = try Harness(.todo, items: 2)
    #expect(
      try list.written("edit", ["item": 1, "text": " new "])
        == [#"item.edited {"item":1,"text":"new"}"#])
    #expect(try list.written("edit", ["item": 1, "text": "new"]) == [])
    try list.send("complete", ["item": 2])
    #expect(try list.written("edit", ["item": 2, "text": "also"]).count == 1)
    try list.send("delete", ["item": 1])
    #expect(
      list.refusal("edit", ["item": 1, "text": "x"])
        == ServiceError(.rejected, "item 1 must not be deleted to be edited", ids: [1]))
    #expect(list.refusal("edit", ["item": 3, "text": "x"])?.code == .notFound)
  }

  @Test func editsByteForByte() throws {
    var list = try Harness(.plain, items: 0)
    try list.send("add", ["text": "\u{E9}"])
    #expect(try list.written("edit", ["item": 1, "text": "e\u{301}"]).count == 1)
  }

  @Test func configuresASection() throws {
    var list = try Harness(.todo, items: 1)
    let data: JSON = [
      "section": 1, "left-to-right": ["buttons": [["action": "complete", "color": "#123456"]]],
    ]
    #expect(
      try list.written("configure-swipe", data) == [
        ##"list.swipe-configured {"section":1,"left-to-right":{"buttons":[{"action":"complete","##
          + ##""color":"#123456","padding":10,"closes":true}],"transition":"border","##
          + ##""openThreshold":0.5,"keepsOpen":true,"bounces":true,"bounceRate":1,"##
          + ##""expansion":{"button":null,"threshold":1.3,"fills":false}}}"##
      ])
    #expect(try list.written("configure-swipe", data) == [])
    #expect(
      list.refusal("configure-swipe", ["section": 3, "left-to-right": [:]])
        == ServiceError(.notFound, "there is no section 3", ids: [3]))
  }
}
