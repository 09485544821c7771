import EventSourcing
import FastJSON
import SwipestreamTesting
import Testing

@testable import Domain

/// Swipes and presses on items in sight, whatever the settings of their sections.
struct ListGestureRules {
  /// In many states, with random settings of all sections, and an item in sight.
  private func onRows(
    seed: UInt64,
    _ check: (inout RandomList, _ item: Int, SwipeDirection, SwipeSide) throws -> Bool
  ) throws {
    try RandomList.inManyStates(seed: seed) { world throws in
      for section in world.list.state.sectionOrder {
        for direction in SwipeDirection.allCases {
          let side = RandomSwipes.side(RandomSwipes.itemActions, &world.random)
          try world.list.send(
            "configure-swipe",
            .object([
              .init("section", .integer(section.rawValue)),
              .init(direction.rawValue, RandomSwipes.json(side)),
            ]))
        }
      }
      var checked = false
      for _ in 0..<4 {
        guard let item = world.one(of: world.present) else { return checked }
        let direction: SwipeDirection = world.random.chance(oneIn: 2) ? .leftToRight : .rightToLeft
        let side = world.side(direction, of: item)
        if try check(&world, item, direction, side) { checked = true }
      }
      return checked
    }
  }

  private func swipe(
    _ item: Int, _ direction: SwipeDirection, _ extent: Double, _ velocity: Double = 0
  ) -> JSON {
    .item(item, RandomSwipes.members(direction, extent, velocity))
  }

  private func press(_ item: Int, _ direction: SwipeDirection, _ button: Int) -> JSON {
    .item(
      item,
      [.init("direction", .string(direction.rawValue)), .init("button", .integer(button))])
  }

  /// By the item's own settings, or those of the section that it is in now.
  @Test(arguments: SeededRandom.seeds(4))
  func oneSwipeTriggersAtMostOnceAndOnlyThenMakesEvents(seed: UInt64) throws {
    try onRows(seed: seed) { world, item, direction, side throws in
      let extent = RandomSwipes.extent(side, &world.random)
      let velocity = RandomSwipes.velocity(&world.random)
      let count = world.list.events.count
      let text = try? world.list.send("swipe", swipe(item, direction, extent, velocity))
      let events = world.list.events[count...]
      #expect(events.count <= 1 && events.allSatisfy { $0.item == ItemID(item) })
      // Refused where the section forbids what the button does.
      let outcome = try text.map { try ReadOutcome($0) }
      switch RandomSwipes.verdict(side, extent, velocity) {
      case .closed: #expect(outcome?.result == "closed" && events.isEmpty)
      case .revealed: #expect(outcome?.result == "revealed" && events.isEmpty)
      case .triggered(let button) where side.buttons[button].action == .more:
        #expect(outcome?.result == "sheet" && events.isEmpty)
      case .triggered(let button):
        #expect(outcome == nil || outcome?.button == button)
      }
      return !events.isEmpty
    }
  }

  /// Also where the section forbids it.
  @Test(arguments: SeededRandom.seeds(4))
  func aButtonDoesWhatItsAbsoluteCommandDoes(seed: UInt64) throws {
    try onRows(seed: seed) { world, item, direction, side throws in
      let buttons = side.buttons.indices.filter { side.buttons[$0].action != .more }
      guard let index = world.one(of: buttons) else { return false }
      let action = side.buttons[index].action
      var twin = world.list
      let expected = action == .none ? nil : twin.refusal(action.rawValue, .item(item))
      #expect(world.list.refusal("press", press(item, direction, index)) == expected)
      #expect(world.list.state == twin.state)
      return true
    }
  }

  @Test(arguments: SeededRandom.seeds(4))
  func titlesFollowState(seed: UInt64) throws {
    let titles: [SwipeAction: String] = [
      .complete: "Complete", .reopen: "Reopen", .delete: "Delete", .more: "More", .none: "",
    ]
    try onRows(seed: seed) { world, item, direction, side throws in
      guard !side.buttons.isEmpty, side.keepsOpen, side.expansion.button == nil else {
        return false
      }
      let expected = side.buttons.map { button in
        let holds = world.isCompleted(item) && [.complete, .reopen].contains(button.action)
        if let own = button.titles { return holds ? own.on : own.off }
        return titles[button.action] ?? "?"
      }
      let outcome = try world.list.send("swipe", swipe(item, direction, 0, 101))
      #expect(try ReadOutcome(outcome).titles == expected)
      return true
    }
  }

  @Test(arguments: SeededRandom.seeds(4))
  func moreMakesNoEventAndOffersAbsoluteCommandsThatAreAllowed(seed: UInt64) throws {
    try onRows(seed: seed) { world, item, direction, side throws in
      guard let more = side.buttons.firstIndex(where: { $0.action == .more }) else { return false }
      let before = world.list.state
      let sheet = try ReadOutcome(world.list.send("press", press(item, direction, more)))
      #expect(sheet.result == "sheet" && world.list.state == before)
      for name in sheet.commands {
        var chosen = world.list
        try chosen.send(name, .item(item))
        #expect(try chosen.written(name, .item(item)) == [], "\(name)")
      }
      return !sheet.commands.isEmpty
    }
  }

  @Test(arguments: SeededRandom.seeds(4))
  func aRowThatOpensLeavesNoTrace(seed: UInt64) throws {
    try onRows(seed: seed) { world, item, direction, side throws in
      guard side.keepsOpen, side.expansion.button == nil, !side.buttons.isEmpty else {
        return false
      }
      let before = world.list.state
      #expect(try world.list.written("swipe", swipe(item, direction, 0, 101)) == [])
      #expect(world.list.state == before)
      return true
    }
  }
}
