import EventSourcing
import FastJSON
import SwipestreamTesting
import Testing

@testable import Domain

/// Which anchors are taken, and how items cross from one section to another.
struct ListAnchorRules {
  /// Sends a move of `moved` next to each of `anchors`, and gives the codes of the refusals.
  private func codes(
    _ world: inout RandomList, _ moved: [Int], next anchors: [Int], in section: SectionID?
  ) -> Set<ErrorCode?> {
    let named: [JSON.Member] = section.map { [.init("section", .integer($0.rawValue))] } ?? []
    var codes: Set<ErrorCode?> = []
    for anchor in anchors {
      for key in ["after", "before"] {
        let place = named + [.init(key, .integer(anchor))]
        codes.insert(world.list.refusal("reorder", .items(moved, place))?.code)
      }
    }
    return codes
  }

  @Test(arguments: SeededRandom.seeds(4))
  func anAnchorThatIsDeletedIsGone(seed: UInt64) throws {
    try RandomList.inManyStates(seed: seed) { world throws in
      guard let item = world.one(of: world.movable) else { return false }
      let purged = world.absent.filter { $0 < world.list.state.nextItem.rawValue }
      let gone = world.deleted + purged
      guard !gone.isEmpty else { return false }
      #expect(codes(&world, [item], next: gone, in: nil) == [.anchorGone])
      return true
    }
  }

  @Test(arguments: SeededRandom.seeds(4))
  func anAnchorThatIsCompletedIsGone(seed: UInt64) throws {
    try RandomList.inManyStates(seed: seed) { world throws in
      guard let item = world.one(of: world.movable) else { return false }
      let completed = world.present.filter { $0 != item && world.isCompleted($0) }
      guard !completed.isEmpty else { return false }
      #expect(codes(&world, [item], next: completed, in: nil) == [.anchorGone])
      return true
    }
  }

  @Test(arguments: SeededRandom.seeds(4))
  func anAnchorInAnotherSectionIsGone(seed: UInt64) throws {
    try RandomList.inManyStates(seed: seed) { world throws in
      guard let item = world.one(of: world.movable), let home = world.home(item) else {
        return false
      }
      let elsewhere = world.present.filter { world.home($0) != home }
      guard !elsewhere.isEmpty else { return false }
      #expect(codes(&world, [item], next: elsewhere, in: nil) == [.anchorGone])
      #expect(codes(&world, [item], next: elsewhere, in: home) == [.anchorGone])
      return true
    }
  }

  @Test(arguments: SeededRandom.seeds(4))
  func anAnchorThatNeverExistedOrMovesAlongIsInvalid(seed: UInt64) throws {
    try RandomList.inManyStates(seed: seed) { world throws in
      guard let item = world.one(of: world.movable), let home = world.home(item) else {
        return false
      }
      let next = world.list.state.nextItem.rawValue
      #expect(codes(&world, [item], next: [next, next + 1], in: nil) == [.invalid])
      let moved = world.some(of: world.movable.filter { world.home($0) == home })
      #expect(codes(&world, moved, next: moved, in: nil) == [.invalid])
      return true
    }
  }

  @Test(arguments: SeededRandom.seeds(4))
  func itemsOfSeveralSectionsNeedASection(seed: UInt64) throws {
    try RandomList.inManyStates(seed: seed) { world throws in
      let moved = world.some(of: world.movable)
      guard Set(moved.map { world.home($0) }).count > 1 else { return false }
      #expect(
        world.list.refusal("reorder", .items(moved, [.init("first", true)]))
          == ServiceError(
            .invalid, "'section' must be given where the items are of several sections"))
      return true
    }
  }

  @Test(arguments: SeededRandom.seeds(4))
  func theCompletedSectionIsClosedToMoves(seed: UInt64) throws {
    try RandomList.inManyStates(seed: seed, completes: true) { world throws in
      guard let section = world.list.state.completedSection else { return false }
      let inside = world.list.state.items(in: section)
      guard let item = world.one(of: inside), let other = world.one(of: world.movable),
        let home = world.home(other)
      else { return false }
      for (moved, target) in [(item, home), (other, section)] {
        let place: [JSON.Member] = [
          .init("section", .integer(target.rawValue)), .init("last", true),
        ]
        let refused = world.list.refusal("reorder", .item(moved, place))
        #expect(refused?.code == .rejected && refused?.ids == [moved])
      }
      return true
    }
  }

  /// Into an empty section too: one fewer there and one more here, by one and the same event.
  @Test(arguments: SeededRandom.seeds(4))
  func aMoveAcrossSectionsIsOneEvent(seed: UInt64) throws {
    var emptyOnes = 0
    try RandomList.inManyStates(seed: seed) { world throws in
      guard let item = world.one(of: world.movable), let home = world.home(item) else {
        return false
      }
      let others = world.list.state.sectionOrder.filter { $0 != home }
      guard let section = others.randomElement(using: &world.random) else { return false }
      if world.random.chance(oneIn: 2) {
        // Emptied as far as it lets itself be.
        _ = world.list.refusal("delete", .items(world.list.state.items(in: section)))
      }
      guard let place = world.place(for: [item], into: section) else { return false }
      let before = world.list.state.sectionOrder.map { world.list.state.items(in: $0).count }
      let events = try world.list.written("reorder", .item(item, place.members))
      let after = world.list.state.sectionOrder.map { world.list.state.items(in: $0).count }
      #expect(events.count == 1 && events[0].hasPrefix("item.moved"))
      for (index, id) in world.list.state.sectionOrder.enumerated() {
        #expect(after[index] - before[index] == (id == section ? 1 : id == home ? -1 : 0))
        if id == section, before[index] == 0 { emptyOnes += 1 }
      }
      return true
    }
    #expect(emptyOnes > 0)
  }
}
