import EventSourcing
import FastJSON
import SwipestreamTesting
import Testing

@testable import Domain

/// What `configure-swipe` takes, and what it leaves alone.
struct SwipeConfigurationRules {
  @Test(arguments: SeededRandom.seeds(4))
  func aSideThatIsGivenReplacesTheOldOneWhole(seed: UInt64) throws {
    try RandomMailbox.inManyStates(seed: seed) { box throws in
      let old = box.mailbox.state.swipe
      let side = RandomSwipes.side(RandomSwipes.mailActions, &box.random)
      // Of what is left out, the defaults hold, and not what was there.
      let members = (RandomSwipes.json(side).members ?? []).filter { _ in
        !box.random.chance(oneIn: 3)
      }
      let isWhole = members.contains { $0.key == "buttons" }
      guard isWhole else { return false }
      let data: JSON = ["left-to-right": .object(members)]
      try box.mailbox.send("configure-swipe", data)
      var fresh = Harness<Mailbox>()
      try fresh.send("configure-swipe", data)
      #expect(box.mailbox.state.swipe.leftToRight == fresh.state.swipe.leftToRight)
      #expect(box.mailbox.state.swipe.rightToLeft == old.rightToLeft)
      return true
    }
  }

  @Test(arguments: SeededRandom.seeds(4))
  func aNewConfigurationRewritesNoRow(seed: UInt64) throws {
    try RandomMailbox.inManyStates(seed: seed) { box throws in
      let (order, facts) = (box.present, box.mailbox.facts)
      let side = RandomSwipes.json(RandomSwipes.side(RandomSwipes.mailActions, &box.random))
      let events = try box.mailbox.written("configure-swipe", ["right-to-left": side])
      #expect(events.count <= 1)
      #expect(box.present == order && box.mailbox.facts == facts)
      #expect(try box.mailbox.written("configure-swipe", ["right-to-left": side]) == [])
      return !events.isEmpty
    }
  }

  @Test(arguments: SeededRandom.seeds(4))
  func anIndexOutsideTheButtonsIsInvalid(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    for _ in 0..<50 {
      let side = RandomSwipes.side([.none], &random)
      let index = [-1, side.buttons.count, .max].randomElement(using: &random) ?? -1
      let members = (RandomSwipes.json(side).members ?? []).filter { $0.key != "expansion" }
      let expansion: JSON = ["button": .integer(index)]
      let data: JSON = ["left-to-right": .object(members + [.init("expansion", expansion)])]
      let message = try #require(refusal(MailboxCommand.self, "configure-swipe", data.text))
      #expect(message.hasPrefix("invalid: 'left-to-right.expansion.button' must be the index of"))
    }
  }

  @Test(arguments: SeededRandom.seeds(4))
  func anActionOfTheOtherAggregateIsInvalid(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    func data(_ actions: [SwipeAction]) -> JSON {
      ["right-to-left": ["buttons": .array(actions.map { ["action": .string($0.rawValue)] })]]
    }
    let foreignToMails: [SwipeAction] = [.complete, .reopen, .delete]
    let foreignToItems = RandomSwipes.mailActions.filter { $0 != .more && $0 != .none }
    for _ in 0..<20 {
      let some = (0..<2).compactMap { _ in RandomSwipes.mailActions.randomElement(using: &random) }
      for action in foreignToMails {
        let text = data(some + [action]).text
        let message = refusal(MailboxCommand.self, "configure-swipe", text)
        #expect(message?.contains("must be an action for mails") == true)
      }
      guard let action = foreignToItems.randomElement(using: &random) else { continue }
      let members = [JSON.Member("section", 1)] + (data([.none, action]).members ?? [])
      let message = refusal(ListCommand.self, "configure-swipe", JSON.object(members).text)
      #expect(message?.contains("must be an action for items") == true)
    }
  }
}
