import EventSourcing
import FastJSON
import SwipestreamTesting
import Testing

@testable import Domain

/// Delivering, the trash, and the way out of it.
struct MailboxTrashRules {
  @Test(arguments: SeededRandom.seeds(4))
  func newMailArrivesAtTheTop(seed: UInt64) throws {
    try RandomMailbox.inManyStates(seed: seed) { box throws in
      let before = box.inbox
      let new = box.mailbox.state.nextMail.rawValue
      #expect(try box.mailbox.send("deliver", box.newMail()) == #"{"mail":\#(new)}"#)
      #expect(box.inbox == [new] + before)
      return true
    }
  }

  @Test(arguments: SeededRandom.seeds(4))
  func aMailThatIsKnownIsDeliveredOnce(seed: UInt64) throws {
    try RandomMailbox.inManyStates(seed: seed) { box throws in
      let data = MailboxPropertyTests.delivery(&box.random)
      let first = try box.mailbox.send("deliver", data)
      let isKnownByNothing = data["messageID"] == nil && data["digest"] == nil
      guard !isKnownByNothing else {
        // Without either it is always new.
        #expect(try box.mailbox.send("deliver", data) != first)
        return false
      }
      if let other = box.one(of: box.present) { try box.mailbox.send("flag", .mail(other)) }
      let before = box.mailbox.state
      #expect(try box.mailbox.send("deliver", data) == first)
      #expect(box.mailbox.state == before)
      return true
    }
  }

  @Test(arguments: SeededRandom.seeds(4))
  func aPurgedMailIsGoneForGoodAndStillKnown(seed: UInt64) throws {
    try RandomMailbox.inManyStates(seed: seed) { box throws in
      let data = box.newMail()
      let new = box.mailbox.state.nextMail.rawValue
      let outcome = try box.mailbox.send("deliver", data)
      let others = box.inbox.filter { $0 != new }
      try box.mailbox.send("trash", .mail(new))
      try box.mailbox.send("purge", .mail(new))
      #expect(!box.present.contains(new) && box.inbox == others)
      #expect(box.mailbox.refusal("restore", .mail(new))?.code == .notFound)
      #expect(try box.mailbox.written("deliver", data) == [])
      #expect(try box.mailbox.send("deliver", data) == outcome)
      #expect(box.mailbox.state.nextMail.rawValue > new)
      return true
    }
  }

  @Test(arguments: SeededRandom.seeds(4))
  func restoreReturnsAMailToItsPlaceWithItsState(seed: UInt64) throws {
    try RandomMailbox.inManyStates(seed: seed) { box throws in
      let chosen = box.some(of: box.inbox)
      guard !chosen.isEmpty else { return false }
      let (inbox, facts) = (box.inbox, box.mailbox.facts)
      try box.mailbox.send("trash", .mails(chosen))
      #expect(box.inbox == inbox.filter { !chosen.contains($0) })
      for each in box.shuffled(chosen) { try box.mailbox.send("restore", .mail(each)) }
      #expect(box.inbox == inbox && box.mailbox.facts == facts)
      return true
    }
  }

  @Test(arguments: SeededRandom.seeds(4))
  func flagAndReadCommandsApplyInTheTrash(seed: UInt64) throws {
    try RandomMailbox.inManyStates(seed: seed) { box throws in
      guard let chosen = box.one(of: box.trash) else { return false }
      for (name, holds) in RandomMailbox.changes.prefix(4) {
        try box.mailbox.send(name, .mail(chosen))
        let state = box.mailbox.state.states[chosen]
        #expect(holds(state) && state.contains(.trashed), "\(name)")
      }
      return true
    }
  }

  @Test(arguments: SeededRandom.seeds(4))
  func aMailInTheTrashIsNeitherMovedNorSwipedNorPressed(seed: UInt64) throws {
    try RandomMailbox.inManyStates(seed: seed) { box throws in
      let hidden = box.some(of: box.trash, 2)
      guard let first = hidden.first else { return false }
      let direction = JSON.Member("direction", "left-to-right")
      let moved = box.shuffled(hidden + box.some(of: box.inbox, 2))
      let commands: [(String, JSON, [Int])] = [
        ("reorder", .mails(moved, .init("last", true)), moved.filter(hidden.contains)),
        ("swipe", .mail(first, direction, .init("extent", 9)), [first]),
        ("press", .mail(first, direction, .init("button", 0)), [first]),
      ]
      for (name, data, culprits) in commands {
        let refused = box.mailbox.refusal(name, data)
        #expect(refused?.code == .rejected && refused?.ids == culprits, "\(name)")
      }
      return true
    }
  }

  /// Only what is in the inbox has a row that can be moved.
  @Test(arguments: SeededRandom.seeds(4))
  func aMailOutsideTheInboxIsNotMoved(seed: UInt64) throws {
    try RandomMailbox.inManyStates(seed: seed) { box throws in
      let outside = box.some(of: box.outsideInbox, 3)
      guard !outside.isEmpty else { return false }
      let moved = box.shuffled(outside + box.some(of: box.inbox, 2))
      let refused = box.mailbox.refusal("reorder", .mails(moved, .init("first", true)))
      #expect(refused?.code == .rejected && refused?.ids == moved.filter(outside.contains))
      return true
    }
  }

  /// Gone, trash, snoozed, archive, inbox: the first that holds is the one.
  @Test(arguments: SeededRandom.seeds(4))
  func everyMailIsInExactlyOneBox(seed: UInt64) throws {
    try RandomMailbox.inManyStates(seed: seed) { box throws in
      for mail in box.present {
        let state = box.mailbox.state.states[mail]
        let expected: MailBox =
          if state.contains(.trashed) {
            .trash
          } else if box.mailbox.state.snoozes.until[UInt32(mail)] != nil {
            .snoozed
          } else {
            state.contains(.archived) ? .archive : .inbox
          }
        #expect(state.box == expected && state.isInInbox == (expected == .inbox))
      }
      #expect(box.inbox.sorted() == box.present.filter { !box.outsideInbox.contains($0) }.sorted())
      return Set(box.present.map { box.mailbox.state.states[$0].box }).count == 4
    }
  }

  @Test(arguments: SeededRandom.seeds(4))
  func purgeOutsideTheTrashIsRejected(seed: UInt64) throws {
    try RandomMailbox.inManyStates(seed: seed) { box throws in
      let outside = box.some(of: box.present.filter { !box.trash.contains($0) }, 3)
      guard !outside.isEmpty else { return false }
      let chosen = box.shuffled(outside + box.some(of: box.trash, 3))
      for erases in [false, true] {
        let refused = box.mailbox.refusal("purge", .mails(chosen, .init("erase", .bool(erases))))
        #expect(refused?.code == .rejected && refused?.ids == chosen.filter(outside.contains))
      }
      return true
    }
  }
}
