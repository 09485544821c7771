import EventSourcing
import FastJSON
import SwipestreamTesting
import Testing

@testable import Domain

/// Moving items about: identity and anchor, whatever is where.
struct ListReorderRules {
  @Test(arguments: SeededRandom.seeds(4))
  func everyItemIsInExactlyOnePlace(seed: UInt64) throws {
    try RandomList.inManyStates(seed: seed) { world throws in
      let present = world.present
      #expect(Set(present).count == present.count)
      #expect(present.sorted() == world.known.filter { !world.deleted.contains($0) })
      for section in world.list.state.sectionOrder {
        for item in world.list.state.items(in: section) { #expect(world.home(item) == section) }
      }
      for item in world.deleted + world.absent { #expect(world.home(item) == nil) }
      return !present.isEmpty
    }
  }

  /// Whatever an earlier move of the item did, the later one's place is the one that it has.
  @Test(arguments: SeededRandom.seeds(4))
  func ofTwoMovesOfOneItemTheLaterWins(seed: UInt64) throws {
    try RandomList.inManyStates(seed: seed) { world throws in
      guard let item = world.one(of: world.movable), let earlier = world.place(for: [item]),
        let later = world.place(for: [item]), world.traits(in: earlier.section).canReorder,
        world.traits(in: later.section).acceptsMoves
      else { return false }
      var alone = world.list
      try alone.send("reorder", .item(item, later.members))
      try world.list.send("reorder", .item(item, earlier.members))
      try world.list.send("reorder", .item(item, later.members))
      #expect(world.list.sections == alone.sections)
      return true
    }
  }

  /// Whichever comes first: each is directly below the item that its move names.
  @Test(arguments: SeededRandom.seeds(4))
  func movesOfDifferentItemsKeepBothIntents(seed: UInt64) throws {
    try RandomList.inManyStates(seed: seed) { world throws in
      let moved = world.some(of: world.movable, 2)
      guard moved.count == 2, let one = world.place(for: moved), one.anchor != 0,
        let other = world.place(for: moved), other.anchor != 0, one.anchor != other.anchor
      else { return false }
      let commands: [JSON] = zip(moved, [one, other]).map { item, place in
        .item(
          item,
          [
            .init("section", .integer(place.section.rawValue)),
            .init("after", .integer(place.anchor)),
          ])
      }
      var reversed = world.list
      for data in commands { try world.list.send("reorder", data) }
      for data in commands.reversed() { try reversed.send("reorder", data) }
      #expect(world.list.sections == reversed.sections)
      for (item, place) in zip(moved, [one, other]) {
        let above = world.list.state.order.number(before: UInt32(item))
        #expect(Int(above) == place.anchor)
      }
      return true
    }
  }

  @Test(arguments: SeededRandom.seeds(4))
  func deleteWinsOverMove(seed: UInt64) throws {
    try RandomList.inManyStates(seed: seed) { world throws in
      guard let item = world.one(of: world.movable), world.traits(item).canDelete,
        let place = world.place(for: [item]), world.traits(in: place.section).canDelete
      else { return false }
      var deletedFirst = world.list
      try deletedFirst.send("delete", .item(item))
      #expect(deletedFirst.refusal("reorder", .item(item, place.members))?.code == .rejected)
      try world.list.send("reorder", .item(item, place.members))
      try world.list.send("delete", .item(item))
      #expect(world.list.sections == deletedFirst.sections)
      #expect(world.deleted.contains(item))
      return true
    }
  }

  @Test(arguments: SeededRandom.seeds(4))
  func moveAndEditBothHold(seed: UInt64) throws {
    try RandomList.inManyStates(seed: seed) { world throws in
      guard let item = world.one(of: world.movable), let place = world.place(for: [item]) else {
        return false
      }
      let edit = JSON.item(item, [.init("text", "edited")])
      var editedFirst = world.list
      try editedFirst.send("edit", edit)
      try editedFirst.send("reorder", .item(item, place.members))
      try world.list.send("reorder", .item(item, place.members))
      try world.list.send("edit", edit)
      #expect(world.list.state.withoutJournal == editedFirst.state.withoutJournal)
      #expect(try world.list.written("edit", edit) == [])
      return true
    }
  }

  @Test(arguments: SeededRandom.seeds(4))
  func aMoveLeavesAllOthersInTheirOrder(seed: UInt64) throws {
    try RandomList.inManyStates(seed: seed) { world throws in
      let moved = world.some(of: world.movable)
      guard !moved.isEmpty, let place = world.place(for: moved) else { return false }
      let others = world.list.sections.map { $0.filter { !moved.contains($0) } }
      try world.list.send("reorder", .items(moved, place.members))
      #expect(world.list.sections.map { $0.filter { !moved.contains($0) } } == others)
      return true
    }
  }

  @Test(arguments: SeededRandom.seeds(4))
  func aBatchKeepsItsItemsRelativeOrder(seed: UInt64) throws {
    try RandomList.inManyStates(seed: seed) { world throws in
      let moved = world.some(of: world.movable)
      guard moved.count > 1, let place = world.place(for: moved) else { return false }
      let before = world.present.filter(moved.contains)
      try world.list.send("reorder", .items(moved, place.members))
      let row = world.list.state.items(in: place.section)
      let first = try #require(row.firstIndex(of: before[0]))
      #expect(Array(row[first...].prefix(moved.count)) == before, "next to one another")
      return true
    }
  }

  @Test(arguments: SeededRandom.seeds(4))
  func aMoveOntoItsOwnPlaceEmitsNothing(seed: UInt64) throws {
    try RandomList.inManyStates(seed: seed) { world throws in
      guard let item = world.one(of: world.movable), let home = world.home(item) else {
        return false
      }
      let row = world.list.state.items(in: home)
      guard let index = row.firstIndex(of: item) else { return false }
      var places: [JSON.Member] = []
      if index == 0 { places.append(.init("first", true)) }
      if index + 1 == row.count { places.append(.init("last", true)) }
      // A completed item among open ones is no anchor.
      for (key, neighbour) in [("after", index - 1), ("before", index + 1)]
      where row.indices.contains(neighbour) && !world.isCompleted(row[neighbour]) {
        places.append(.init(key, .integer(row[neighbour])))
      }
      for place in places {
        #expect(try world.list.written("reorder", .item(item, [place])) == [], "\(place)")
      }
      return !places.isEmpty
    }
  }
}
