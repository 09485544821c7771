import EventSourcing
import FastJSON
import Testing

@testable import Domain

@Suite("Swipe presets")
struct SwipePresetTests {
  @Test("of a mailbox give both sides in full")
  func mails() throws {
    for preset in SwipePreset.forMails {
      var mailbox = Harness<Mailbox>()
      let events = try mailbox.written(
        "configure-swipe", ["preset": .string(preset.rawValue)])
      let data = try JSON(parsing: String(try #require(events.first).drop { $0 != "{" }))
      #expect(data.members?.map(\.key) == ["left-to-right", "right-to-left"])
      #expect(mailbox.state.swipe == preset.settings(for: .mail))
      #expect(try mailbox.written("configure-swipe", ["preset": .string(preset.rawValue)]) == [])
    }
  }

  @Test("of a section follow whether it holds completed items")
  func items() throws {
    for preset in SwipePreset.forItems {
      for section in [1, 2] {
        var list = try Harness(.todo, items: 0)
        try list.send(
          "configure-swipe", ["section": .integer(section), "left-to-right": ["bounces": false]])
        try list.send(
          "configure-swipe", ["section": .integer(section), "preset": .string(preset.rawValue)])
        #expect(
          list.state.section(SectionID(section))?.swipe
            == preset.settings(for: .item(completed: section == 2)))
      }
    }
  }

  @Test("have only actions of their rows, and expansions that some button has")
  func sound() {
    for (preset, row) in SwipePreset.forMails.map({ ($0, SwipePreset.Row.mail) })
      + SwipePreset.forItems.flatMap({ preset in
        [true, false].map { (preset, SwipePreset.Row.item(completed: $0)) }
      })
    {
      guard let settings = preset.settings(for: row) else { continue }
      for direction in SwipeDirection.allCases {
        let side = settings[direction]
        if let button = side.expansion.button { #expect(side.buttons.indices.contains(button)) }
        for button in side.buttons {
          let ofItems: Set<SwipeAction> = [.complete, .reopen, .delete]
          if case .mail = row { #expect(!ofItems.contains(button.action)) }
          if case .item = row { #expect(ofItems.contains(button.action)) }
        }
      }
    }
  }

  @Test("are named in the refusal of those that do not fit")
  func refusals() {
    let mails = "'mail', 'read-archive', 'selection', 'destructive', 'off'"
    let items = "'todo', 'selection', 'destructive', 'off'"
    for name in ["todo", "Mail", ""] {
      #expect(
        refusal(MailboxCommand.self, "configure-swipe", #"{"preset":"\#(name)"}"#)
          == "invalid: 'preset' must be one of those for mails: " + mails)
    }
    for name in ["mail", "read-archive"] {
      for target in [#""section":1"#, #""item":1"#] {
        #expect(
          refusal(ListCommand.self, "configure-swipe", #"{\#(target),"preset":"\#(name)"}"#)
            == "invalid: 'preset' must be one of those for items: " + items)
      }
    }
  }

  @Test(
    "stand alone",
    arguments: [
      (
        #"{"preset":"off","left-to-right":{}}"#,
        "only one of a preset, sides and 'clear' may be given"
      ),
      (
        #"{"mail":1,"preset":"off","clear":true}"#,
        "only one of a preset, sides and 'clear' may be given"
      ),
      (
        #"{"mail":1,"right-to-left":{},"clear":true}"#,
        "only one of a preset, sides and 'clear' may be given"
      ),
      (#"{"mail":1,"clear":false}"#, "'clear' must be true"),
      (#"{"clear":true}"#, "'clear' is for a single mail or item; give a preset or sides instead"),
      (#"{"mail":1}"#, "'left-to-right', 'right-to-left' or 'preset' must be given"),
      (#"{"mail":0,"preset":"off"}"#, "'mail' must be a positive integer"),
      (#"{"preset":5}"#, "'preset' must be a string"),
    ])
  func alone(_ data: String, _ message: String) {
    #expect(refusal(MailboxCommand.self, "configure-swipe", data) == "invalid: " + message)
  }

  @Test("selection springs back, destructive takes away")
  func effects() throws {
    var mailbox = try Harness(mails: 2)
    for (preset, direction, effect) in [
      ("selection", "left-to-right", (command: "mark-read", closes: true, removes: false)),
      ("selection", "right-to-left", (command: "flag", closes: true, removes: false)),
      ("read-archive", "right-to-left", (command: "archive", closes: false, removes: true)),
      ("destructive", "right-to-left", (command: "trash", closes: false, removes: true)),
    ] {
      try mailbox.send("configure-swipe", ["preset": .string(preset)])
      let outcome = try JSON(
        parsing: try mailbox.send(
          "swipe", ["mail": 1, "direction": .string(direction), "extent": 1.31]))
      #expect(outcome["command"]?.string == effect.command)
      #expect(outcome["closes"]?.bool == effect.closes)
      #expect(outcome["removes"]?.bool == effect.removes)
    }
    try mailbox.send("configure-swipe", ["preset": "off"])
    for direction in SwipeDirection.allCases {
      #expect(
        try mailbox.send(
          "swipe",
          ["mail": 2, "direction": .string(direction.rawValue), "extent": 9, "velocity": 900])
          == #"{"result":"closed"}"#)
    }
  }
}
