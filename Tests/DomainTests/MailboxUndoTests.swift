import EventSourcing
import FastJSON
import SwipestreamTesting
import Testing

@testable import Domain

struct MailboxUndoTests {
  private static func mailbox(mails: Int = 5) throws -> Harness<Mailbox> {
    var mailbox = Harness<Mailbox>()
    for number in 1...mails {
      try mailbox.send("deliver", KnownMailTests.mail("\(number)", nil), id: "deliver-\(number)")
    }
    return mailbox
  }

  @Test func takesBackByTheOppositeAndNamesWhatItUndoes() throws {
    var mailbox = try Self.mailbox()
    try mailbox.send("flag", ["mail": 2], id: "f")
    let outcome = try mailbox.send("undo", ["command": "f"], id: "u")
    #expect(outcome == #"{"undone":"f","results":[{"mail":2,"changed":true}]}"#)
    #expect(mailbox.events.last == .unflagged(MailID(2)))
    #expect(
      mailbox.causes.last == EventCause(command: CommandID("u")!, undoes: CommandID("f")!))
  }

  @Test func anUnknownCommandIsNotFound() throws {
    var mailbox = try Self.mailbox()
    let refusal = mailbox.refusal("undo", ["command": "nobody"])
    #expect(refusal?.code == .notFound)
  }

  @Test func onlyOnce() throws {
    var mailbox = try Self.mailbox()
    try mailbox.send("flag", ["mail": 2], id: "f")
    try mailbox.send("undo", ["command": "f"], id: "u")
    let refusal = mailbox.refusal("undo", ["command": "f"])
    #expect(refusal?.code == .rejected)
    #expect(refusal?.message.contains("'u'") == true)
  }

  @Test func redoIsUndoOfTheUndo() throws {
    var mailbox = try Self.mailbox()
    try mailbox.send("reorder", ["mails": [1, 2], "first": true], id: "r")
    let moved = mailbox.visible
    try mailbox.send("undo", ["command": "r"], id: "u")
    #expect(mailbox.visible == [5, 4, 3, 2, 1])
    try mailbox.send("undo", ["command": "u"], id: "redo")
    #expect(mailbox.visible == moved)
    try mailbox.send("undo", ["command": "redo"], id: "u2")
    #expect(mailbox.visible == [5, 4, 3, 2, 1])
  }

  @Test func oneAfterTheOtherFromTheEnd() throws {
    var mailbox = try Self.mailbox()
    try mailbox.send("flag", ["mail": 2], id: "1")
    try mailbox.send("unflag", ["mail": 2], id: "2")
    try mailbox.send("undo", ["command": "2"])
    // The second and its undo cancel each other out: the first is as it was.
    try mailbox.send("undo", ["command": "1"])
    #expect(mailbox.state.state(MailID(2)) == [])
  }

  @Test func whatChangedSinceIsLeftAlone() throws {
    var mailbox = try Self.mailbox()
    try mailbox.send("flag", ["mails": [1, 2, 3]], id: "f")
    try mailbox.send("unflag", ["mail": 2])
    let refusal = mailbox.refusal("undo", ["command": "f"])
    #expect(refusal?.code == .rejected && refusal?.ids == [2])
    #expect(mailbox.state.state(MailID(1)) == .flagged)
  }

  @Test func anotherFieldOfTheSameMailMayHaveChanged() throws {
    var mailbox = try Self.mailbox()
    try mailbox.send("flag", ["mail": 2], id: "f")
    try mailbox.send("mark-read", ["mail": 2])
    try mailbox.send("trash", ["mail": 2])
    try mailbox.send("undo", ["command": "f"])
    #expect(mailbox.state.state(MailID(2)) == [.read, .trashed])
  }

  @Test func undoingADeliveryTrashes() throws {
    var mailbox = try Self.mailbox()
    try mailbox.send("undo", ["command": "deliver-3"])
    #expect(mailbox.events.last == .trashed(MailID(3)))
  }

  @Test func aPurgeIsForGood() throws {
    var mailbox = try Self.mailbox()
    try mailbox.send("trash", ["mail": 3], id: "t")
    try mailbox.send("purge", ["mail": 3], id: "p")
    #expect(mailbox.refusal("undo", ["command": "p"])?.code == .rejected)
    let refusal = mailbox.refusal("undo", ["command": "t"])
    #expect(refusal?.code == .rejected && refusal?.ids == [3])
  }

  @Test func theConfigurationComesBackSideBySide() throws {
    var mailbox = try Self.mailbox()
    let before = mailbox.state.swipe
    try mailbox.send("configure-swipe", ["left-to-right": ["buttons": []]], id: "left")
    try mailbox.send("configure-swipe", ["right-to-left": ["buttons": []]], id: "right")
    try mailbox.send("undo", ["command": "left"])
    #expect(mailbox.state.swipe.leftToRight == before.leftToRight)
    #expect(mailbox.state.swipe.rightToLeft.buttons.isEmpty)
  }

  @Test func onlyTheLastHundredCommands() throws {
    var mailbox = try Self.mailbox()
    try mailbox.send("flag", ["mail": 1], id: "old")
    try mailbox.send("flag", ["mail": 2], id: "new")
    for number in 1...99 {
      try mailbox.send(number % 2 == 1 ? "mark-read" : "mark-unread", ["mail": 3])
    }
    #expect(mailbox.refusal("undo", ["command": "old"])?.code == .notFound)
    try mailbox.send("undo", ["command": "new"])
    #expect(mailbox.state.state(MailID(2)) == [])
  }

  @Test func theServicesCommandsInARowCountAsOne() throws {
    var mailbox = try Self.mailbox()
    try mailbox.send("flag", ["mail": 1], id: "mine")
    for number in 0..<150 {
      let cause = EventCause(command: CommandID("~wake-\(number)")!)
      mailbox.take([number % 2 == 0 ? .read(MailID(2)) : .unread(MailID(2))], of: cause)
    }
    #expect(mailbox.state.journal.commands.count == 7)
    #expect(mailbox.refusal("undo", ["command": "~wake-0"])?.code == .rejected)
    let bytes = mailbox.state.snapshotBytes
    #expect(try Mailbox(snapshotBytes: bytes) == mailbox.state && mailbox.replayed == mailbox.state)
    try mailbox.send("undo", ["command": "mine"])
    #expect(mailbox.state.state(MailID(1)) == [])
  }

  @Test func afterALostEventNothingBeforeIsKnown() throws {
    var mailbox = try Self.mailbox()
    try mailbox.send("flag", ["mail": 1], id: "f")
    mailbox.take([.lost])
    #expect(mailbox.refusal("undo", ["command": "f"])?.code == .notFound)
  }

  /// Whatever was done: taking it back right away leads to the very state before.
  @Test(arguments: SeededRandom.seeds(30))
  func undoRightAwayRestoresTheState(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    var mailbox = try Self.mailbox()
    var undone = 0
    for number in 0..<300 {
      let (name, data) = MailboxPropertyTests.command(
        mails: mailbox.state.states.count, &random)
      let before = mailbox.state
      let events = mailbox.events.count
      let id = "r\(number)"
      guard (try? mailbox.send(name, data, id: id)) != nil, mailbox.events.count > events,
        random.chance(oneIn: 2)
      else { continue }
      let isFinal = mailbox.events[events...].contains { event in
        if case .purged = event { true } else { false }
      }
      if isFinal {
        #expect(mailbox.refusal("undo", ["command": .string(id)])?.code == .rejected)
        continue
      }
      try mailbox.send("undo", ["command": .string(id)])
      undone += 1
      let isDelivery = mailbox.events[events...].contains { $0.type == "mail.delivered" }
      if !isDelivery {
        #expect(mailbox.state.withoutJournal == before.withoutJournal, "\(name) \(data.text)")
      }
    }
    #expect(undone > 10)
    #expect(mailbox.replayed == mailbox.state)
  }
}

extension Mailbox {
  var withoutJournal: Mailbox {
    var copy = self
    copy.journal = UndoJournal()
    return copy
  }
}
