import EventSourcing
import FastJSON
import SwipestreamTesting
import Testing

@testable import Domain

/// Moving the mails of an inbox about, whatever is where.
struct MailboxReorderRules {
  /// Mails to move, and a place for them that is in sight.
  private static func move(_ box: inout RandomMailbox) -> (moved: [Int], key: String, anchor: Int)?
  {
    let moved = box.some(of: box.inbox)
    guard !moved.isEmpty else { return nil }
    let others = box.inbox.filter { !moved.contains($0) }
    guard let anchor = box.one(of: others), !box.random.chance(oneIn: 3) else {
      return (moved, box.random.chance(oneIn: 2) ? "first" : "last", 0)
    }
    return (moved, box.random.chance(oneIn: 2) ? "after" : "before", anchor)
  }

  private static func data(_ move: (moved: [Int], key: String, anchor: Int)) -> JSON {
    .mails(move.moved, .init(move.key, move.anchor == 0 ? true : .integer(move.anchor)))
  }

  private static func naive(_ box: RandomMailbox) -> NaiveMailbox {
    NaiveMailbox(order: box.present, trashed: Set(box.present).subtracting(box.inbox))
  }

  @Test(arguments: SeededRandom.seeds(4))
  func reorderPlacesMailsAmongTheVisibleOnes(seed: UInt64) throws {
    try RandomMailbox.inManyStates(seed: seed) { box throws in
      guard let move = Self.move(&box) else { return false }
      let expected = Self.naive(box).visibleAfterMoving(move.moved, move.key, move.anchor)
      try box.mailbox.send("reorder", Self.data(move))
      #expect(box.inbox == expected)
      return true
    }
  }

  @Test(arguments: SeededRandom.seeds(4))
  func aBatchKeepsItsMailsRelativeOrder(seed: UInt64) throws {
    try RandomMailbox.inManyStates(seed: seed) { box throws in
      guard let move = Self.move(&box), move.moved.count > 1 else { return false }
      let before = box.inbox.filter(move.moved.contains)
      try box.mailbox.send("reorder", Self.data(move))
      #expect(box.inbox.filter(move.moved.contains) == before)
      return true
    }
  }

  /// Hidden ones too: a move is anchored to its neighbours and renumbers nobody.
  @Test(arguments: SeededRandom.seeds(4))
  func aMoveLeavesAllOthersInTheirOrder(seed: UInt64) throws {
    try RandomMailbox.inManyStates(seed: seed) { box throws in
      guard let move = Self.move(&box) else { return false }
      let before = box.present.filter { !move.moved.contains($0) }
      try box.mailbox.send("reorder", Self.data(move))
      #expect(box.present.filter { !move.moved.contains($0) } == before)
      return true
    }
  }

  @Test(arguments: SeededRandom.seeds(4))
  func aMoveThatChangesNothingEmitsNothing(seed: UInt64) throws {
    try RandomMailbox.inManyStates(seed: seed) { box throws in
      guard let move = Self.move(&box) else { return false }
      try box.mailbox.send("reorder", Self.data(move))
      #expect(try box.mailbox.written("reorder", Self.data(move)) == [])
      // Onto its own place, as each of its neighbours tells it.
      let inbox = box.inbox
      guard let index = inbox.indices.randomElement(using: &box.random) else { return false }
      var places: [JSON.Member] = []
      if index > 0 { places.append(.init("after", .integer(inbox[index - 1]))) }
      if index == 0 { places.append(.init("first", true)) }
      if index + 1 < inbox.count { places.append(.init("before", .integer(inbox[index + 1]))) }
      if index + 1 == inbox.count { places.append(.init("last", true)) }
      for place in places {
        #expect(try box.mailbox.written("reorder", .mail(inbox[index], place)) == [])
      }
      return true
    }
  }

  @Test(arguments: SeededRandom.seeds(4))
  func anAnchorOutsideTheInboxIsGone(seed: UInt64) throws {
    try RandomMailbox.inManyStates(seed: seed) { box throws in
      let purged = box.absent.filter { $0 < box.mailbox.state.nextMail.rawValue }
      let gone = box.outsideInbox + purged
      guard let anchor = box.one(of: gone), let moved = box.one(of: box.inbox) else { return false }
      for key in ["after", "before"] {
        #expect(
          box.mailbox.refusal("reorder", .mail(moved, .init(key, .integer(anchor))))
            == ServiceError(.anchorGone, "the anchor, mail \(anchor), is not in the inbox any more")
        )
      }
      return true
    }
  }

  @Test(arguments: SeededRandom.seeds(4))
  func anAnchorThatNeverExistedOrMovesAlongIsInvalid(seed: UInt64) throws {
    try RandomMailbox.inManyStates(seed: seed) { box throws in
      let moved = box.some(of: box.inbox)
      guard let along = box.one(of: moved) else { return false }
      let unborn = box.mailbox.state.nextMail.rawValue + box.random.chance(oneIn: 2).asInteger
      for key in ["after", "before"] {
        for (anchor, why) in [
          (unborn, "never existed"), (along, "must not be among the mails moved"),
        ] {
          #expect(
            box.mailbox.refusal("reorder", .mails(moved, .init(key, .integer(anchor))))
              == ServiceError(.invalid, "the anchor, mail \(anchor), \(why)"))
        }
      }
      return true
    }
  }
}

extension Bool {
  fileprivate var asInteger: Int { self ? 1 : 0 }
}
