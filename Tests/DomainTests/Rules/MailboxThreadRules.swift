import EventSourcing
import FastJSON
import SwipestreamTesting
import Testing

@testable import Domain

/// Threads, mute, snoozes, and a trash that empties itself.
struct MailboxThreadRules {
  /// The thread that a mail joins, found by a search of all mails before it.
  private static func thread(
    of content: MailContent, after earlier: [(thread: Int, content: MailContent)]
  ) -> Int? {
    let found = earlier.filter { other in
      !ids(other.content).isDisjoint(with: ids(content))
        && BaseSubject(other.content.subject).utf8 == BaseSubject(content.subject).utf8
    }
    return found.map(\.thread).min()
  }

  private static func ids(_ content: MailContent) -> Set<String> {
    Set([content.messageID, content.inReplyTo].compactMap(\.self) + (content.references ?? []))
  }

  @Test(arguments: SeededRandom.seeds(8))
  func aMailJoinsTheOldestThreadThatSharesAMessageIDAndTheSubject(seed: UInt64) {
    var box = RandomMailbox(seed: seed)
    for _ in 0..<400 { box.step() }
    var mails: [(thread: Int, content: MailContent)] = []
    var joined = 0
    for case .delivered(let mail, let content) in box.mailbox.events {
      let expected = Self.thread(of: content, after: mails)
      #expect(content.thread?.rawValue == expected, "mail \(mail)")
      mails.append((expected ?? mail.rawValue, content))
      joined += expected == nil ? 0 : 1
    }
    #expect(joined > 5 && joined < mails.count - 5)
  }

  @Test(arguments: SeededRandom.seeds(4))
  func aMailOfAMutedThreadArrivesArchived(seed: UInt64) throws {
    try RandomMailbox.inManyStates(seed: seed) { box throws in
      let (parent, reply) = (box.newMail(), box.newMail())
      let answer = Self.reply(reply, to: parent)
      try box.mailbox.send("deliver", parent)
      let first = box.mailbox.state.nextMail.rawValue - 1
      let isMuted = box.random.chance(oneIn: 2)
      if isMuted { try box.mailbox.send("mute", .mail(first)) }
      try box.mailbox.send("deliver", answer)
      let state = box.mailbox.state.states[first + 1]
      #expect(state.box == (isMuted ? .archive : .inbox))
      return isMuted
    }
  }

  private static func reply(_ mail: JSON, to parent: JSON) -> JSON {
    .object((mail.members ?? []) + [.init("inReplyTo", parent["messageID"] ?? "")])
  }

  @Test(arguments: SeededRandom.seeds(4))
  func unsnoozeReturnsAMailToItsPlace(seed: UInt64) throws {
    try RandomMailbox.inManyStates(seed: seed) { box throws in
      let awake = box.present.filter {
        box.mailbox.state.states[$0].isDisjoint(with: [.snoozed, .trashed])
      }
      let chosen = box.some(of: awake)
      guard !chosen.isEmpty else { return false }
      let before = box.mailbox.state
      try box.mailbox.send("snooze", .mails(chosen, Self.until))
      #expect(chosen.allSatisfy { box.mailbox.state.states[$0].box == .snoozed })
      try box.mailbox.send("unsnooze", .mails(box.shuffled(chosen)))
      #expect(box.mailbox.state.withoutJournal == before.withoutJournal)
      return true
    }
  }

  private static let until = JSON.Member("until", "2035-05-05T05:05:05Z")

  @Test(arguments: SeededRandom.seeds(4))
  func aMailThatWakesByTimeIsOnTopOfTheInbox(seed: UInt64) throws {
    try RandomMailbox.inManyStates(seed: seed) { box throws in
      let present = box.present.filter { !box.trash.contains($0) }
      guard let chosen = box.one(of: present) else { return false }
      try box.mailbox.send("snooze", .mail(chosen, Self.until))
      let others = box.inbox
      try box.wake(chosen, Self.until)
      #expect(box.inbox == [chosen] + others)
      return true
    }
  }

  @Test(arguments: SeededRandom.seeds(4))
  func wakeActsOnlyWhereTheMailStillSleepsUntilExactlyThen(seed: UInt64) throws {
    try RandomMailbox.inManyStates(seed: seed) { box throws in
      guard let chosen = box.one(of: box.present + box.absent) else { return false }
      let before = box.mailbox.state
      try box.wake(chosen, .init("until", "2035-05-05T05:05:04Z"))
      if box.mailbox.state.snoozes.until[UInt32(chosen)] == nil { try box.wake(chosen, Self.until) }
      #expect(box.mailbox.state == before)
      return true
    }
  }

  @Test(arguments: SeededRandom.seeds(4))
  func aReplyWakesWhatSleepsOfItsThreadAndNothingElse(seed: UInt64) throws {
    try RandomMailbox.inManyStates(seed: seed) { box throws in
      let parent = box.newMail()
      let answer = Self.reply(box.newMail(), to: parent)
      try box.mailbox.send("deliver", parent)
      let first = box.mailbox.state.nextMail.rawValue - 1
      try box.mailbox.send("snooze", .mail(first, Self.until))
      let (others, sleeping) = (box.inbox, box.mailbox.state.snoozes.until.count)
      try box.mailbox.send("deliver", answer)
      #expect(box.inbox == [first + 1, first] + others)
      #expect(box.mailbox.state.snoozes.until.count == sleeping - 1)
      return true
    }
  }

  @Test(arguments: SeededRandom.seeds(4))
  func expirePurgesWhatIsStillInTheTrashWhileThereIsARetention(seed: UInt64) throws {
    try RandomMailbox.inManyStates(seed: seed) { box throws in
      let chosen = box.some(of: box.present + box.absent, 12)
      let isOn = box.mailbox.state.retention != nil
      let gone = isOn ? chosen.filter(box.trash.contains) : []
      let rest = box.present.filter { !gone.contains($0) }
      try box.mailbox.send("expire", .mails(chosen), id: "~expire-\(box.random.next())")
      #expect(box.present == rest)
      return !gone.isEmpty
    }
  }
}

extension RandomMailbox {
  /// As the service wakes a mail.
  fileprivate mutating func wake(_ mail: Int, _ until: JSON.Member) throws {
    try mailbox.send("wake", .mail(mail, until), id: "~wake-\(random.next())")
  }
}
