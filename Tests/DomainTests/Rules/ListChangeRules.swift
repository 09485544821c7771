import EventSourcing
import FastJSON
import SwipestreamTesting
import Testing

@testable import Domain

/// Completing and deleting, the way back, and what a section forbids.
struct ListChangeRules {
  /// Items that may be completed, none of which is.
  private static func open(_ world: inout RandomList, _ most: Int = 5) -> [Int] {
    let open = world.present.filter { !world.isCompleted($0) && world.traits($0).canComplete }
    return world.some(of: open, most)
  }

  @Test(arguments: SeededRandom.seeds(4))
  func completedItemsGoToTheEndOfTheCompletedSection(seed: UInt64) throws {
    try RandomList.inManyStates(seed: seed, completes: true) { world throws in
      let chosen = Self.open(&world)
      guard let section = world.list.state.completedSection, !chosen.isEmpty else { return false }
      let before = world.list.state.items(in: section)
      try world.list.send("complete", .items(chosen))
      #expect(world.list.state.items(in: section) == before + chosen)
      #expect(chosen.allSatisfy { world.isCompleted($0) })
      return true
    }
  }

  @Test(arguments: SeededRandom.seeds(4))
  func withoutACompletedSectionACompletedItemKeepsItsPlace(seed: UInt64) throws {
    try RandomList.inManyStates(seed: seed, completes: false) { world throws in
      let chosen = Self.open(&world)
      let before = world.list.sections
      guard !chosen.isEmpty else { return false }
      for name in ["complete", "reopen"] {
        try world.list.send(name, .items(chosen))
        #expect(world.list.sections == before)
        #expect(chosen.allSatisfy { world.isCompleted($0) == (name == "complete") })
      }
      return true
    }
  }

  @Test(arguments: SeededRandom.seeds(4))
  func reopenGoesBackToTheOldPlace(seed: UInt64) throws {
    try RandomList.inManyStates(seed: seed, completes: true) { world throws in
      let chosen = Self.open(&world)
      let before = world.list.sections
      guard !chosen.isEmpty else { return false }
      try world.list.send("complete", .items(chosen))
      try world.list.send("reopen", .items(world.shuffled(chosen)))
      #expect(world.list.sections == before)
      return true
    }
  }

  @Test(arguments: SeededRandom.seeds(4))
  func reopenGoesToTheEndOfItsSectionWhereTheNeighboursAreGone(seed: UInt64) throws {
    try RandomList.inManyStates(seed: seed, completes: true) { world throws in
      guard let item = Self.open(&world, 1).first, let home = world.home(item),
        world.traits(in: home).canDelete, world.list.state.completedSection != nil,
        // One that repeats leaves the next one in its place.
        world.list.state.settings[UInt32(item)]?.repetition == nil
      else { return false }
      let row = world.list.state.items(in: home)
      guard let index = row.firstIndex(of: item) else { return false }
      let neighbours = [index - 1, index + 1].filter(row.indices.contains).map { row[$0] }
      try world.list.send("complete", .item(item))
      for neighbour in neighbours { try world.list.send("delete", .item(neighbour)) }
      let left = row.filter { $0 != item && !neighbours.contains($0) }
      try world.list.send("reopen", .item(item))
      #expect(world.list.state.items(in: home) == left + [item])
      return !left.isEmpty
    }
  }

  @Test(arguments: SeededRandom.seeds(4))
  func restoreGoesBackToTheOldPlaceWithItsState(seed: UInt64) throws {
    try RandomList.inManyStates(seed: seed) { world throws in
      let chosen = world.some(of: world.present.filter { world.traits($0).canDelete })
      let (before, facts) = (world.list.sections, world.list.facts)
      guard !chosen.isEmpty else { return false }
      try world.list.send("delete", .items(chosen))
      #expect(world.list.sections == before.map { $0.filter { !chosen.contains($0) } })
      try world.list.send("restore", .items(world.shuffled(chosen)))
      #expect(world.list.sections == before && world.list.facts == facts)
      return true
    }
  }

  /// Valid, and the section stays.
  @Test(arguments: SeededRandom.seeds(4))
  func aSectionsLastItemCanBeDeleted(seed: UInt64) throws {
    try RandomList.inManyStates(seed: seed) { world throws in
      let sections = world.list.state.sectionOrder.filter { section in
        world.traits(in: section).canDelete && !world.list.state.items(in: section).isEmpty
      }
      guard let section = sections.randomElement(using: &world.random) else { return false }
      let row = world.list.state.items(in: section)
      for item in world.shuffled(row) { try world.list.send("delete", .item(item)) }
      #expect(world.list.state.items(in: section) == [])
      #expect(world.list.state.sectionOrder.contains(section))
      try world.list.send("restore", .items(row))
      #expect(world.list.state.items(in: section) == row)
      return true
    }
  }

  @Test(arguments: SeededRandom.seeds(4))
  func aDeletedItemIsOnlyRestoredOrPurged(seed: UInt64) throws {
    try RandomList.inManyStates(seed: seed) { world throws in
      if world.deleted.isEmpty, let item = world.one(of: world.present) {
        _ = world.list.refusal("delete", .item(item))
      }
      guard let item = world.one(of: world.deleted) else { return false }
      let direction = JSON.Member("direction", "right-to-left")
      let commands: [(String, JSON)] = [
        ("complete", .item(item)), ("reopen", .item(item)),
        ("edit", .item(item, [.init("text", "new")])),
        ("reorder", .item(item, [.init("section", 1), .init("first", true)])),
        ("swipe", .item(item, [direction, .init("extent", 1)])),
        ("press", .item(item, [direction, .init("button", 0)])),
      ]
      for (name, data) in commands {
        let refused = world.list.refusal(name, data)
        #expect(refused?.code == .rejected && refused?.ids == [item], "\(name)")
      }
      var purged = world.list
      try purged.send("purge", .item(item))
      try world.list.send("restore", .item(item))
      #expect(world.present.contains(item) && purged.state.state(ItemID(item)) == nil)
      #expect(purged.refusal("restore", .item(item))?.code == .notFound)
      return true
    }
  }

  @Test(arguments: SeededRandom.seeds(4))
  func purgeOfAnItemThatIsNotDeletedIsRejected(seed: UInt64) throws {
    try RandomList.inManyStates(seed: seed) { world throws in
      let present = world.some(of: world.present, 3)
      let chosen = world.shuffled(present + world.some(of: world.deleted, 2))
      guard !present.isEmpty else { return false }
      for erases in [false, true] {
        let refused = world.list.refusal("purge", .items(chosen, [.init("erase", .bool(erases))]))
        #expect(refused?.code == .rejected && refused?.ids == chosen.filter(present.contains))
      }
      return true
    }
  }

  @Test(arguments: SeededRandom.seeds(4))
  func whatTheTraitsForbidIsRejected(seed: UInt64) throws {
    try RandomList.inManyStates(seed: seed) { world throws in
      var refused: [ServiceError?] = []
      for section in world.list.state.sectionOrder {
        let traits = world.traits(in: section)
        let place: [JSON.Member] = [.init("section", .integer(section.rawValue))]
        if !traits.canAdd {
          refused.append(world.list.refusal("add", .object([.init("text", "x")] + place)))
        }
        let visitor = world.movable.first { world.home($0) != section }
        if let visitor, !traits.acceptsMoves {
          refused.append(
            world.list.refusal("reorder", .item(visitor, place + [.init("first", true)])))
        }
        guard let item = world.one(of: world.list.state.items(in: section)) else { continue }
        if !traits.canComplete, !world.isCompleted(item) {
          refused.append(world.list.refusal("complete", .item(item)))
        }
        if !traits.canDelete { refused.append(world.list.refusal("delete", .item(item))) }
        if !traits.canReorder {
          refused.append(world.list.refusal("reorder", .item(item, [.init("first", true)])))
        }
      }
      #expect(refused.allSatisfy { $0?.code == .rejected })
      return !refused.isEmpty
    }
  }
}
