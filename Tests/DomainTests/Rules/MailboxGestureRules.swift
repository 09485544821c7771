import EventSourcing
import FastJSON
import SwipestreamTesting
import Testing

@testable import Domain

/// Swipes and presses on mails in sight, whatever the settings.
struct MailboxGestureRules {
  /// In many states, with random settings of both sides, and a mail in sight.
  private func onRows(
    seed: UInt64,
    _ check: (inout RandomMailbox, _ mail: Int, SwipeDirection, SwipeSide) throws -> Bool
  ) throws {
    try RandomMailbox.inManyStates(seed: seed) { box throws in
      for direction in SwipeDirection.allCases {
        let side = RandomSwipes.side(RandomSwipes.mailActions, &box.random)
        try box.mailbox.send(
          "configure-swipe", .object([.init(direction.rawValue, RandomSwipes.json(side))]))
      }
      guard let mail = box.one(of: box.inbox) else { return false }
      let direction: SwipeDirection = box.random.chance(oneIn: 2) ? .leftToRight : .rightToLeft
      return try check(&box, mail, direction, box.mailbox.side(direction, of: mail))
    }
  }

  private func swipe(
    _ mail: Int, _ direction: SwipeDirection, _ extent: Double, _ velocity: Double = 0
  ) -> JSON {
    .object(
      [.init("mail", .integer(mail))] + RandomSwipes.members(direction, extent, velocity))
  }

  private func press(_ mail: Int, _ direction: SwipeDirection, _ button: Int) -> JSON {
    [
      "mail": .integer(mail), "direction": .string(direction.rawValue), "button": .integer(button),
    ]
  }

  /// The absolute command that an action is, on a mail in this state.
  private func command(_ action: SwipeAction, _ state: Mailbox.State) -> String? {
    switch action {
    case .toggleRead: state.contains(.read) ? "mark-unread" : "mark-read"
    case .toggleFlag: state.contains(.flagged) ? "unflag" : "flag"
    case .more, .none: nil
    default: action.rawValue
    }
  }

  @Test(arguments: SeededRandom.seeds(4))
  func oneSwipeTriggersAtMostOnceAndOnlyThenMakesEvents(seed: UInt64) throws {
    try onRows(seed: seed) { box, mail, direction, side throws in
      let extent = RandomSwipes.extent(side, &box.random)
      let velocity = RandomSwipes.velocity(&box.random)
      let count = box.mailbox.events.count
      let data = swipe(mail, direction, extent, velocity)
      let outcome = try ReadOutcome(box.mailbox.send("swipe", data))
      let events = box.mailbox.events[count...]
      #expect(events.count <= 1 && events.allSatisfy { $0.mail == MailID(mail) })
      switch RandomSwipes.verdict(side, extent, velocity) {
      case .closed: #expect(outcome.result == "closed" && events.isEmpty)
      case .revealed: #expect(outcome.result == "revealed" && events.isEmpty)
      case .triggered(let button) where side.buttons[button].action == .more:
        #expect(outcome.result == "sheet" && events.isEmpty)
      case .triggered(let button):
        #expect(outcome.result == "triggered" && outcome.button == button)
      }
      return !events.isEmpty
    }
  }

  @Test(arguments: SeededRandom.seeds(4))
  func aButtonDoesWhatItsAbsoluteCommandDoes(seed: UInt64) throws {
    try onRows(seed: seed) { box, mail, direction, side throws in
      guard let index = side.buttons.indices.randomElement(using: &box.random) else { return false }
      let name = command(side.buttons[index].action, box.mailbox.state.states[mail])
      var twin = box.mailbox
      let expected = try name.map { try twin.written($0, .mail(mail)) } ?? []
      let pressed = try box.mailbox.written("press", press(mail, direction, index))
      #expect(pressed == expected)
      #expect(pressed.isEmpty || box.mailbox.lastVia == "press")
      return !pressed.isEmpty
    }
  }

  /// Computed each time they are asked for.
  @Test(arguments: SeededRandom.seeds(4))
  func titlesFollowState(seed: UInt64) throws {
    let titles: [SwipeAction: (off: String, on: String)] = [
      .toggleRead: ("Mark as read", "Mark as unread"), .toggleFlag: ("Flag", "Unflag"),
      .markRead: ("Mark as read", "Mark as read"),
      .markUnread: ("Mark as unread", "Mark as unread"), .flag: ("Flag", "Flag"),
      .unflag: ("Unflag", "Unflag"), .trash: ("Trash", "Trash"),
      .archive: ("Archive", "Archive"), .more: ("More", "More"),
      .none: ("", ""),
    ]
    try onRows(seed: seed) { box, mail, direction, side throws in
      guard !side.buttons.isEmpty, side.keepsOpen, side.expansion.button == nil else {
        return false
      }
      for change in RandomMailbox.changes.prefix(4) {
        try box.mailbox.send(change.name, .mail(mail))
        let state = box.mailbox.state.states[mail]
        let expected = side.buttons.map { button in
          let isRead = [.toggleRead, .markRead, .markUnread].contains(button.action)
          let isFlag = [.toggleFlag, .flag, .unflag].contains(button.action)
          let holds = isRead && state.contains(.read) || isFlag && state.contains(.flagged)
          let title = titles[button.action]
          if let own = button.titles { return holds ? own.on : own.off }
          return (holds ? title?.on : title?.off) ?? "?"
        }
        let outcome = try box.mailbox.send("swipe", swipe(mail, direction, 0, 101))
        #expect(try ReadOutcome(outcome).titles == expected)
      }
      return true
    }
  }

  /// Nor does any row inherit the open buttons of another: that a row is open is no state.
  @Test(arguments: SeededRandom.seeds(4))
  func aRowThatOpensLeavesNoTrace(seed: UInt64) throws {
    try onRows(seed: seed) { box, mail, direction, side throws in
      let before = box.mailbox.state
      guard side.keepsOpen, side.expansion.button == nil, !side.buttons.isEmpty else {
        return false
      }
      #expect(try box.mailbox.written("swipe", swipe(mail, direction, 0, 101)) == [])
      #expect(box.mailbox.state == before)
      return true
    }
  }

  @Test(arguments: SeededRandom.seeds(4))
  func moreMakesNoEventAndOffersAbsoluteCommands(seed: UInt64) throws {
    try onRows(seed: seed) { box, mail, direction, side throws in
      guard let more = side.buttons.firstIndex(where: { $0.action == .more }) else { return false }
      let count = box.mailbox.events.count
      let sheet = try ReadOutcome(box.mailbox.send("press", press(mail, direction, more)))
      #expect(sheet.result == "sheet" && !sheet.commands.isEmpty)
      #expect(box.mailbox.events.count == count)
      for name in sheet.commands {
        try box.mailbox.send(name, .mail(mail))
        #expect(try box.mailbox.written(name, .mail(mail)) == [], "\(name)")
      }
      return true
    }
  }

  @Test(arguments: SeededRandom.seeds(4))
  func aTrashedRowIsOneEvent(seed: UInt64) throws {
    try RandomMailbox.inManyStates(seed: seed) { box throws in
      guard let mail = box.one(of: box.inbox) else { return false }
      var fresh = box.mailbox
      let defaults = RandomSwipes.json(SwipeSettings.mailboxDefault.rightToLeft)
      try fresh.send("configure-swipe", .mail(mail, .init("right-to-left", defaults)))
      let data = swipe(mail, .rightToLeft, 1.11, -5000)
      #expect(try fresh.written("swipe", data) == [#"mail.trashed {"mail":\#(mail)}"#])
      // The row is gone, and so are further taps on it.
      #expect(fresh.refusal("swipe", data)?.code == .rejected)
      #expect(fresh.refusal("press", press(mail, .rightToLeft, 0))?.code == .rejected)
      return true
    }
  }
}
