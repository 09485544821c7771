import EventSourcing
import FastJSON
import SwipestreamTesting
import Testing

@testable import Domain

/// Boxes, pins and labels.
struct MailboxBoxRules {
  @Test(arguments: SeededRandom.seeds(4))
  func aMailIsInExactlyOneBox(seed: UInt64) throws {
    try RandomMailbox.inManyStates(seed: seed) { box throws in
      let boxes = Dictionary(grouping: box.present) { box.mailbox.state.states[$0].box }
      #expect(boxes[.inbox] ?? [] == box.inbox && boxes[.trash] ?? [] == box.trash)
      for each in box.present {
        let state = box.mailbox.state.states[each]
        let expected: MailBox =
          state.contains(.trashed)
          ? .trash
          : state.contains(.snoozed) ? .snoozed : state.contains(.archived) ? .archive : .inbox
        #expect(state.box == expected)
      }
      return boxes.count > 2
    }
  }

  @Test(arguments: SeededRandom.seeds(4))
  func unarchiveReturnsAMailToItsPlace(seed: UInt64) throws {
    try RandomMailbox.inManyStates(seed: seed) { box throws in
      let chosen = box.some(of: box.inbox)
      guard !chosen.isEmpty else { return false }
      let (inbox, facts) = (box.inbox, box.mailbox.facts)
      try box.mailbox.send("archive", .mails(chosen))
      #expect(box.inbox == inbox.filter { !chosen.contains($0) })
      for each in box.shuffled(chosen) { try box.mailbox.send("unarchive", .mail(each)) }
      #expect(box.inbox == inbox && box.mailbox.facts == facts)
      return true
    }
  }

  @Test(arguments: SeededRandom.seeds(4))
  func archiveEndsASnooze(seed: UInt64) throws {
    try RandomMailbox.inManyStates(seed: seed) { box throws in
      let sleeping = box.present.filter { box.mailbox.state.states[$0].box == .snoozed }
      guard let chosen = box.one(of: sleeping) else { return false }
      try box.mailbox.send("archive", .mail(chosen))
      #expect(box.mailbox.state.states[chosen].box == .archive)
      return true
    }
  }

  @Test(arguments: SeededRandom.seeds(4))
  func onlyTheInboxCanBeReordered(seed: UInt64) throws {
    try RandomMailbox.inManyStates(seed: seed) { box throws in
      let hidden = box.some(of: box.present.filter { !box.inbox.contains($0) }, 2)
      guard let anchor = hidden.first else { return false }
      let moved = box.shuffled(hidden + box.some(of: box.inbox, 2))
      let refused = box.mailbox.refusal("reorder", .mails(moved, .init("first", true)))
      #expect(refused?.code == .rejected && refused?.ids == moved.filter(hidden.contains))
      guard let visible = box.one(of: box.inbox) else { return false }
      let gone = box.mailbox.refusal("reorder", .mail(visible, .init("after", .integer(anchor))))
      #expect(gone?.code == .anchorGone)
      return true
    }
  }

  @Test(arguments: SeededRandom.seeds(4))
  func aPinChangesNothingElse(seed: UInt64) throws {
    try RandomMailbox.inManyStates(seed: seed) { box throws in
      guard let chosen = box.one(of: box.present) else { return false }
      let before = box.mailbox.state
      try box.mailbox.send("pin", .mail(chosen))
      #expect(box.mailbox.state.states[chosen] == before.states[chosen].union(.pinned))
      #expect(box.mailbox.state.order == before.order)
      return true
    }
  }

  @Test(arguments: SeededRandom.seeds(4))
  func aLabelIsSetOnceWhateverItsCase(seed: UInt64) throws {
    try RandomMailbox.inManyStates(seed: seed) { box throws in
      guard let chosen = box.one(of: box.present) else { return false }
      let plain = try #require(MailLabel("later"))
      try box.mailbox.send("label", .mail(chosen, .init("label", "later")))
      #expect(box.mailbox.state.labels.has(UInt32(chosen), plain))
      for name in ["LATER", "Later"] {
        let data = JSON.mail(chosen, .init("label", .string(name)))
        #expect(try box.mailbox.written("label", data) == [])
      }
      try box.mailbox.send("unlabel", .mail(chosen, .init("label", "LaTeR")))
      #expect(!box.mailbox.state.labels.has(UInt32(chosen), plain))
      return true
    }
  }
}
