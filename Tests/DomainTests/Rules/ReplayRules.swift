import EventSourcing
import FastJSON
import SwipestreamTesting
import Testing

@testable import Domain

/// After any commands the state in memory is what the log says, from zero or from any snapshot.
struct ReplayRules {
  /// Checks one run: states as bytes at random points, and what follows them.
  private func check<A: Aggregate & Equatable>(
    _ harness: Harness<A>, _ random: inout SeededRandom
  ) throws where A.Event: Equatable, A.Command: Equatable {
    let live = harness.state
    #expect(harness.replayed == live)
    #expect(harness.replayed.snapshotBytes == live.snapshotBytes)
    for _ in 0..<5 {
      let point = Int.random(in: 0...harness.events.count, using: &random)
      var state = try A(snapshotBytes: harness.state(after: point).snapshotBytes)
      harness.apply(from: point, to: &state)
      #expect(state == live, "a snapshot of revision \(point) and its tail")
      #expect(state.snapshotBytes == live.snapshotBytes)
    }
  }

  @Test(arguments: SeededRandom.seeds(4))
  func aMailboxEqualsAReplayFromZeroAndFromAnySnapshot(seed: UInt64) throws {
    var last = 0
    try RandomMailbox.inManyStates(seed: seed) { box throws in
      defer { last = box.mailbox.events.count }
      try check(box.mailbox, &box.random)
      return box.mailbox.events.count > last
    }
  }

  @Test(arguments: SeededRandom.seeds(4))
  func aListEqualsAReplayFromZeroAndFromAnySnapshot(seed: UInt64) throws {
    var last = 0
    try RandomList.inManyStates(seed: seed) { world throws in
      defer { last = world.list.events.count }
      try check(world.list, &world.random)
      return world.list.events.count > last
    }
  }
}
