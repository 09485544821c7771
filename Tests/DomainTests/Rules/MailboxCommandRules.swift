import EventSourcing
import FastJSON
import SwipestreamTesting
import Testing

@testable import Domain

/// What holds for every command to a mailbox, in whatever state it is.
struct MailboxCommandRules {
  @Test(arguments: SeededRandom.seeds(4))
  func onlyDeliverAndConfigureSwipeMakeAMailbox(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    for _ in 0..<100 {
      var mailbox = Harness<Mailbox>()
      let (name, data) = MailboxPropertyTests.command(mails: 5, &random)
      guard refusal(MailboxCommand.self, name, data.text) == nil else { continue }
      let refused = mailbox.refusal(name, data)
      if name == "deliver" || name == "configure-swipe" {
        #expect(refused == nil && mailbox.state.exists)
      } else {
        #expect(refused == ServiceError(.notFound, "there is no such mailbox"), "\(name)")
      }
    }
  }

  @Test(arguments: SeededRandom.seeds(4))
  func aStateCommandIsAbsolute(seed: UInt64) throws {
    try RandomMailbox.inManyStates(seed: seed) { box throws in
      let change = box.change()
      let chosen = box.some(of: box.present)
      guard !chosen.isEmpty else { return false }
      try box.mailbox.send(change.name, .mails(chosen))
      for mail in chosen { #expect(change.holds(box.mailbox.state.states[mail]), "\(change.name)") }
      return true
    }
  }

  @Test(arguments: SeededRandom.seeds(4))
  func aStateCommandSentTwiceEmitsNothing(seed: UInt64) throws {
    try RandomMailbox.inManyStates(seed: seed) { box throws in
      let change = box.change()
      guard let chosen = box.one(of: box.present) else { return false }
      try box.mailbox.send(change.name, .mail(chosen))
      #expect(try box.mailbox.written(change.name, .mail(chosen)) == [])
      #expect(try box.mailbox.send(change.name, .mails([chosen])).contains(#""changed":false"#))
      return true
    }
  }

  /// But for a snoozed mail that is archived, which wakes besides.
  @Test(arguments: SeededRandom.seeds(4))
  func aBulkEmitsOneEventPerChangedMail(seed: UInt64) throws {
    try RandomMailbox.inManyStates(seed: seed) { box throws in
      let change = box.change()
      let chosen = box.some(of: box.present, 8)
      let before = box.mailbox.facts
      let changing = chosen.filter { !change.holds(before[$0] ?? []) }
      let count = box.mailbox.events.count
      guard !changing.isEmpty else { return false }
      let outcome = try box.mailbox.send(change.name, .mails(chosen))
      let told = box.mailbox.events[count...].filter { event in
        change.name != "archive" || event.type != "mail.unsnoozed"
      }
      let archived = chosen.filter { before[$0]?.contains(.archived) == true }
      #expect(
        told.compactMap { $0.mail?.rawValue }
          == changing.filter { change.name != "archive" || !archived.contains($0) })
      #expect(outcome == results("mail", chosen) { changing.contains($0) })
      return true
    }
  }

  @Test(arguments: SeededRandom.seeds(4))
  func aBulkCollapsesDuplicates(seed: UInt64) throws {
    try RandomMailbox.inManyStates(seed: seed) { box throws in
      let change = box.change()
      let chosen = box.some(of: box.present)
      guard !chosen.isEmpty else { return false }
      var doubled = box.mailbox
      let again = chosen + box.shuffled(chosen)
      #expect(
        try doubled.send(change.name, .mails(again))
          == box.mailbox.send(change.name, .mails(chosen)))
      #expect(doubled.state == box.mailbox.state)
      return true
    }
  }

  @Test(arguments: [
    "mark-read", "mark-unread", "flag", "unflag", "trash", "restore", "purge", "reorder",
  ])
  func anEmptySetIsInvalid(name: String) throws {
    let data: JSON = name == "reorder" ? ["mails": [], "first": true] : ["mails": []]
    var mailbox = try Harness(mails: 3)
    #expect(mailbox.refusal(name, data) == ServiceError(.invalid, "'mails' must not be empty"))
  }

  @Test(arguments: SeededRandom.seeds(4))
  func unknownIDsFailABulkWhole(seed: UInt64) throws {
    try RandomMailbox.inManyStates(seed: seed) { box throws in
      let unknown = box.some(of: box.absent, 3)
      let chosen = box.shuffled(box.some(of: box.present) + unknown)
      for change in RandomMailbox.changes {
        let refused = box.mailbox.refusal(change.name, .mails(chosen))
        #expect(refused?.code == .notFound)
        #expect(refused?.ids == chosen.filter(unknown.contains))
      }
      let refused = box.mailbox.refusal("reorder", .mails(chosen, .init("first", true)))
      #expect(refused?.code == .notFound && refused?.ids == chosen.filter(unknown.contains))
      return chosen.count > unknown.count
    }
  }

  /// Others are trashed, purged, moved and delivered between the choice of a row and its command.
  @Test(arguments: SeededRandom.seeds(4))
  func mailsAreTargetedByIDNeverByRow(seed: UInt64) throws {
    try RandomMailbox.inManyStates(seed: seed) { box throws in
      guard let chosen = box.one(of: box.inbox) else { return false }
      let others = box.some(of: box.present.filter { $0 != chosen })
      guard !others.isEmpty else { return false }
      var busy = box.mailbox
      try busy.send("deliver", box.newMail())
      try busy.send("trash", .mails(others))
      if box.random.chance(oneIn: 2) { try busy.send("purge", .mails(others)) }
      if box.random.chance(oneIn: 2) {
        try busy.send("reorder", .mail(chosen, .init("last", true)))
      }
      let (name, before) = (box.change().name, busy.facts)
      #expect(
        try busy.written(name, .mail(chosen)) == box.mailbox.written(name, .mail(chosen)), "\(name)"
      )
      #expect(busy.facts[chosen] == box.mailbox.facts[chosen])
      for (other, fact) in before where other != chosen { #expect(busy.facts[other] == fact) }
      return true
    }
  }

  /// No row takes the place of one that has vanished.
  @Test(arguments: SeededRandom.seeds(4))
  func aCommandToAMailThatIsGoneTouchesNoOther(seed: UInt64) throws {
    try RandomMailbox.inManyStates(seed: seed) { box throws in
      guard let gone = box.one(of: box.absent) else { return false }
      let direction = JSON.Member("direction", "right-to-left")
      let commands: [(String, JSON)] =
        RandomMailbox.changes.map { ($0.name, JSON.mail(gone)) } + [
          ("purge", .mail(gone)), ("reorder", .mail(gone, .init("first", true))),
          ("swipe", .mail(gone, direction, .init("extent", 2))),
          ("press", .mail(gone, direction, .init("button", 0))),
        ]
      // That nothing changes is checked with every refusal.
      for (name, data) in commands {
        #expect(
          box.mailbox.refusal(name, data)
            == ServiceError(.notFound, "there is no mail \(gone)", ids: [gone]), "\(name)")
      }
      return true
    }
  }
}
