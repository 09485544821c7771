import EventSourcing
import FastJSON
import SwipestreamTesting
import Testing

@testable import Domain

@Suite("Swipe settings of a single row")
struct SwipeOverrideTests {
  private static let flag: JSON = ["buttons": [["action": "flag"]]]

  @Test("replace the sides given, and no others")
  func oneSide() throws {
    var mailbox = try Harness(mails: 2)
    #expect(
      try mailbox.written("configure-swipe", ["mail": 1, "right-to-left": Self.flag]) == [
        ##"mail.swipe-configured {"mail":1,"right-to-left":{"buttons":[{"action":"flag","##
          + ##""color":"#FF950D","padding":10,"closes":true}],"transition":"border","##
          + ##""openThreshold":0.5,"keepsOpen":true,"bounces":true,"bounceRate":1,"##
          + ##""expansion":{"button":null,"threshold":1.3,"fills":false}}}"##
      ])
    #expect(try mailbox.written("configure-swipe", ["mail": 1, "right-to-left": Self.flag]) == [])
    let own = mailbox.state.swipeSettings(of: MailID(1))
    #expect(own.rightToLeft.buttons.map(\.action) == [.flag])
    #expect(own.leftToRight == SwipeSettings.mailboxDefault.leftToRight)
    #expect(mailbox.state.swipeSettings(of: MailID(2)) == .mailboxDefault)
    // The other side goes on following the mailbox.
    try mailbox.send("configure-swipe", ["preset": "off"])
    #expect(mailbox.state.swipeSettings(of: MailID(1)).rightToLeft == own.rightToLeft)
    #expect(mailbox.state.swipeSettings(of: MailID(1)).leftToRight == SwipeSide())
  }

  @Test("are swiped and pressed")
  func used() throws {
    var mailbox = try Harness(mails: 2)
    try mailbox.send("configure-swipe", ["mail": 1, "right-to-left": Self.flag])
    #expect(
      try mailbox.written("press", MailboxGestureTests.press("right-to-left", 0))
        == [#"mail.flagged {"mail":1}"#])
    #expect(
      mailbox.refusal("press", MailboxGestureTests.press("right-to-left", 1))?.message
        == "'button' must be the index of one of the 1 'right-to-left' buttons")
    try mailbox.send("configure-swipe", ["mail": 1, "preset": "off"])
    for direction in ["left-to-right", "right-to-left"] {
      #expect(
        try mailbox.send("swipe", MailboxGestureTests.swipe(direction, 5, 500))
          == #"{"result":"closed"}"#)
    }
    #expect(
      try mailbox.written("configure-swipe", ["mail": 1, "clear": true])
        == [#"mail.swipe-cleared {"mail":1}"#])
    #expect(try mailbox.written("configure-swipe", ["mail": 1, "clear": true]) == [])
    #expect(
      try mailbox.written("swipe", MailboxGestureTests.swipe("right-to-left", 1.2))
        == [#"mail.trashed {"mail":1}"#])
  }

  @Test("go with an item wherever it goes")
  func items() throws {
    var list = try Harness(.todo, items: 2)
    #expect(
      try list.written("configure-swipe", ["item": 1, "preset": "off"]).first?.hasPrefix(
        #"item.swipe-configured {"item":1,"left-to-right":{"buttons":[],"#) == true)
    try list.send("complete", ["item": 1])
    let swipe: JSON = ["item": 1, "direction": "right-to-left", "extent": 1]
    #expect(try list.send("swipe", swipe) == #"{"result":"closed"}"#)
    // The preset means what fits the item now.
    try list.send("configure-swipe", ["item": 1, "preset": "todo"])
    #expect(
      list.state.overrides[1]?.rightToLeft?.buttons.map(\.action) == [.delete, .reopen])
    #expect(
      try list.written("configure-swipe", ["item": 1, "clear": true])
        == [#"item.swipe-cleared {"item":1}"#])
    #expect(try list.written("configure-swipe", ["item": 1, "clear": true]) == [])
  }

  @Test("go when the row is purged")
  func purged() throws {
    var mailbox = try Harness(mails: 1)
    try mailbox.send("configure-swipe", ["mail": 1, "preset": "off"])
    try mailbox.send("trash", ["mail": 1])
    #expect(mailbox.state.overrides[1] != nil)
    try mailbox.send("purge", ["mail": 1])
    #expect(mailbox.state.overrides == SwipeOverrides())
    #expect(
      mailbox.refusal("configure-swipe", ["mail": 1, "clear": true])
        == ServiceError(.notFound, "there is no mail 1", ids: [1]))

    var list = try Harness(.todo, items: 1)
    try list.send("configure-swipe", ["item": 1, "preset": "destructive"])
    try list.send("delete", ["item": 1])
    #expect(list.state.overrides[1] != nil)
    try list.send("purge", ["item": 1])
    #expect(list.state.overrides == SwipeOverrides())
    #expect(
      list.refusal("configure-swipe", ["item": 1, "preset": "off"])
        == ServiceError(.notFound, "there is no item 1", ids: [1]))
  }

  @Test("come back as they were when they are taken back")
  func undone() throws {
    var mailbox = try Harness(mails: 1)
    try mailbox.send("configure-swipe", ["mail": 1, "left-to-right": Self.flag], id: "one")
    let own = mailbox.state.overrides[1]
    try mailbox.send("configure-swipe", ["mail": 1, "preset": "off"], id: "both")
    try mailbox.send("undo", ["command": "both"], id: "undo")
    #expect(mailbox.state.overrides[1] == own)
    #expect(own?.leftToRight != nil && own?.rightToLeft == nil)
    try mailbox.send("configure-swipe", ["mail": 1, "clear": true], id: "clear")
    try mailbox.send("undo", ["command": "clear"])
    #expect(mailbox.state.overrides[1] == own)
    #expect(mailbox.refusal("undo", ["command": "undo"]) == nil)
    #expect(mailbox.refusal("undo", ["command": "one"])?.code == .rejected)

    var list = try Harness(.todo, items: 1)
    try list.send("configure-swipe", ["item": 1, "preset": "off"], id: "off")
    try list.send("undo", ["command": "off"], id: "undo")
    #expect(list.state.overrides == SwipeOverrides())
    try list.send("undo", ["command": "undo"])
    #expect(list.state.overrides[1] != nil)
  }

  @Test("take one target")
  func targets() {
    for (data, message) in [
      (#"{"preset":"off"}"#, "'section' or 'item' must be given"),
      (
        #"{"section":1,"item":1,"preset":"off"}"#,
        "'section' must be left out where 'item' is given"
      ),
      (
        #"{"section":1,"clear":true}"#,
        "'clear' is for a single mail or item; give a preset or sides instead"
      ),
    ] {
      #expect(refusal(ListCommand.self, "configure-swipe", data) == "invalid: " + message)
    }
    var mailbox = Harness<Mailbox>()
    #expect(
      mailbox.refusal("configure-swipe", ["mail": 1, "preset": "off"])?.message
        == "there is no such mailbox")
  }

  @Test("are bounded in number")
  func bound() throws {
    var mailbox = try Harness<Mailbox>(mails: 1).state
    let off = SwipeConfiguration(leftToRight: SwipeSide())
    for number in 2...SwipeOverrides.limit + 1 {
      mailbox.apply(
        .delivered(MailID(number), MailContent(from: "f", subject: "s", message: "m")))
      mailbox.apply(.mailSwipeConfigured(MailID(number), off))
    }
    let context = DecisionContext(time: Timestamp(microseconds: 0), command: CommandID("c")!)
    #expect(throws: ServiceError.self) {
      try mailbox.decide(.configureSwipe(MailID(1), .sides(off)), in: context)
    }
    let other = SwipeChange.preset(.off)
    #expect(try mailbox.decide(.configureSwipe(MailID(2), other), in: context).events.count == 1)
    #expect(try mailbox.decide(.configureSwipe(nil, other), in: context).events.count == 1)
  }

  @Test(
    "of mails: a plain dictionary agrees, replay and snapshots too",
    arguments: SeededRandom.seeds(20))
  func mailboxProperty(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    var mailbox = Harness<Mailbox>()
    var usual = SwipeSettings.mailboxDefault
    var own: [Int: SwipeConfiguration] = [:]
    var count = 0
    for _ in 0..<400 {
      let (name, data) = Self.command("mail", SwipePreset.forMails, &random) { random in
        MailboxPropertyTests.command(mails: mailbox.state.states.count, &random)
      }
      let before = mailbox.events.count
      _ = mailbox.refusal(name, data)
      for event in mailbox.events[before...] {
        switch event {
        case .swipeConfigured(let sides): usual = sides.applied(to: usual)
        case .mailSwipeConfigured(let mail, let sides):
          count += 1
          own[mail.rawValue] = sides
        case .mailSwipeCleared(let mail): own[mail.rawValue] = nil
        case .purged(let mail, _): own[mail.rawValue] = nil
        default: break
        }
      }
      for mail in 1...max(mailbox.state.states.count, 2) {
        #expect(
          mailbox.state.swipeSettings(of: MailID(mail)) == own[mail]?.applied(to: usual) ?? usual,
          "seed \(seed)")
      }
    }
    #expect(count > 5, "seed \(seed)")
    #expect(mailbox.replayed == mailbox.state, "seed \(seed)")
    #expect(try Mailbox(snapshotBytes: mailbox.state.snapshotBytes) == mailbox.state)
  }

  @Test("of items: replay and snapshots agree", arguments: SeededRandom.seeds(20))
  func listProperty(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    var list = Harness<ItemList>()
    try list.send("create", ["title": "t", "template": "todo"])
    try SnapshotTests.check(&list, seed, &random) { list, random in
      Self.command("item", SwipePreset.forItems, &random) { random in
        SnapshotTests.listCommand(items: list.states.count - 1, &random)
      }
    }
    #expect(
      list.events.contains { if case .itemSwipeConfigured = $0 { true } else { false } },
      "seed \(seed)")
  }

  /// Every fifth command is about one row's settings.
  private static func command(
    _ target: String, _ presets: [SwipePreset], _ random: inout SeededRandom,
    _ other: (inout SeededRandom) -> (String, JSON)
  ) -> (String, JSON) {
    guard random.chance(oneIn: 5) else { return other(&random) }
    let row = JSON.Member(target, .integer(.random(in: 1...12, using: &random)))
    switch Int.random(in: 0..<4, using: &random) {
    case 0: return ("configure-swipe", .object([row, .init("clear", true)]))
    case 1:
      let preset = presets.randomElement(using: &random) ?? .off
      return ("configure-swipe", .object([row, .init("preset", .string(preset.rawValue))]))
    default:
      let direction = SwipeDirection.allCases.randomElement(using: &random) ?? .leftToRight
      let side = MailboxPropertyTests.side([.more, .none], &random)
      return ("configure-swipe", .object([row, .init(direction.rawValue, side)]))
    }
  }
}
