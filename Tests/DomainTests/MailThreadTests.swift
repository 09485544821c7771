import EventSourcing
import FastJSON
import SwipestreamTesting
import Testing

@testable import Domain

/// Which mails belong together.
struct MailThreadTests {
  static func mail(
    _ id: String?, _ subject: String = "Tea", replyTo: String? = nil, references: [String] = []
  ) -> JSON {
    var members: [JSON.Member] = [
      .init("from", "f"), .init("subject", .string(subject)), .init("message", "m"),
    ]
    if let id { members.append(.init("messageID", .string(id))) }
    if let replyTo { members.append(.init("inReplyTo", .string(replyTo))) }
    if !references.isEmpty {
      members.append(.init("references", .array(references.map { .string($0) })))
    }
    return .object(members)
  }

  private func threads(_ mails: [JSON]) throws -> [Int] {
    var mailbox = Harness<Mailbox>()
    for mail in mails { try mailbox.send("deliver", mail) }
    #expect(mailbox.replayed == mailbox.state)
    return mailbox.state.threads.threads.dropFirst().map { Int($0) }
  }

  @Test func aReplyJoinsWhatItAnswers() throws {
    #expect(
      try threads([
        Self.mail("a"), Self.mail("x", "Other"), Self.mail("b", "Re: Tea", replyTo: "a"),
        Self.mail("c", "RE: [list] tea", references: ["a", "b"]),
      ]) == [1, 2, 1, 1])
  }

  @Test func anotherSubjectIsAnotherThread() throws {
    #expect(
      try threads([Self.mail("a"), Self.mail("b", "Coffee", replyTo: "a")]) == [1, 2])
  }

  @Test func theParentMayComeLater() throws {
    #expect(
      try threads([Self.mail("b", "Re: Tea", replyTo: "a"), Self.mail("a")]) == [1, 1])
  }

  @Test func whatIsMissingStillBindsItsReplies() throws {
    #expect(
      try threads([
        Self.mail("b", replyTo: "gone"), Self.mail("c", references: ["gone", "more"]),
        Self.mail(nil, replyTo: "more"),
      ]) == [1, 1, 1])
  }

  @Test func theOldestOfSeveralThreadsIsJoined() throws {
    #expect(
      try threads([
        Self.mail("a"), Self.mail("b"), Self.mail("c", references: ["b", "a"]),
        Self.mail("d", references: ["b"]), Self.mail("e", references: ["c"]),
      ]) == [1, 2, 1, 1, 1])
  }

  @Test func withoutMessageIDsThereAreNoThreads() throws {
    #expect(try threads([Self.mail(nil), Self.mail(nil)]) == [1, 2])
  }

  @Test func theEventNamesTheThreadOfAReplyOnly() throws {
    var mailbox = Harness<Mailbox>()
    #expect(
      try mailbox.written("deliver", Self.mail("a")) == [
        #"mail.delivered {"mail":1,"from":"f","subject":"Tea","message":"m","messageID":"a"}"#
      ])
    #expect(
      try mailbox.written("deliver", Self.mail(nil, replyTo: "a")) == [
        #"mail.delivered {"mail":2,"from":"f","subject":"Tea","message":"m","inReplyTo":"a","#
          + #""thread":1}"#
      ])
    #expect(
      mailbox.refusal("deliver", ["from": "", "subject": "", "message": "", "thread": 1]) != nil)
  }

  @Test("A mail of an old log is its own thread, and found by later ones")
  func oldLogs() throws {
    var mailbox = Harness<Mailbox>()
    func old(_ id: String, _ references: [String]) -> MailContent {
      MailContent(from: "f", subject: "Tea", message: "m", messageID: id, references: references)
    }
    mailbox.take([
      .delivered(MailID(1), old("a", ["r"])), .delivered(MailID(2), old("b", ["a", "r"])),
      .delivered(MailID(3), old("c", ["b", "r"])),
    ])
    #expect(mailbox.state.threads.threads == [0, 1, 2, 3])
    try mailbox.send("deliver", Self.mail("d", replyTo: "c"))
    try mailbox.send("deliver", Self.mail("e", references: ["r"]))
    #expect(mailbox.state.threads.threads == [0, 1, 2, 3, 3, 1])
  }

  @Test func aMutedThreadArrivesArchived() throws {
    var mailbox = Harness<Mailbox>()
    try mailbox.send("deliver", Self.mail("a"))
    #expect(try mailbox.written("mute", ["mail": 1]) == [#"thread.muted {"thread":1}"#])
    #expect(try mailbox.written("mute", ["thread": 1]) == [])
    #expect(
      try mailbox.written("deliver", Self.mail(nil, replyTo: "a"))[0]
        .hasSuffix(#""archived":true,"thread":1}"#))
    #expect(mailbox.visible == [1])
    #expect(mailbox.refusal("mute", ["thread": 2])?.message.contains("is in thread 1") == true)
    #expect(mailbox.refusal("mute", ["thread": 3])?.code == .notFound)
    #expect(mailbox.refusal("mute", ["mail": 3])?.code == .notFound)
    #expect(mailbox.refusal("mute", ["mail": 1, "thread": 1])?.code == .invalid)
    #expect(try mailbox.written("unmute", ["mail": 2]) == [#"thread.unmuted {"thread":1}"#])
    try mailbox.send("deliver", Self.mail(nil, replyTo: "a"))
    #expect(mailbox.visible == [3, 1])
  }

  @Test func aCommandCanBeMeantForAThread() throws {
    var mailbox = Harness<Mailbox>()
    for mail in [Self.mail("a"), Self.mail("x"), Self.mail("b", replyTo: "a")] {
      try mailbox.send("deliver", mail)
    }
    try mailbox.send("archive", ["thread": 1])
    #expect(mailbox.visible == [2])
    try mailbox.send("label", ["thread": 3, "label": "done"])
    #expect(mailbox.state.labels.mails == [1, 3])
  }

  @Test("An erased mail binds no later ones, also by the erased log alone")
  func erasure() throws {
    var mailbox = Harness<Mailbox>()
    for mail in [
      Self.mail("a"), Self.mail("b", replyTo: "a"), Self.mail("c", references: ["a", "r"]),
      Self.mail("d", references: ["r"]),
    ] { try mailbox.send("deliver", mail) }
    try mailbox.send("trash", ["mails": [1, 3]])
    try mailbox.send("purge", ["mails": [1, 3], "erase": true])
    #expect(mailbox.state.threads.threads == [0, 1, 1, 1, 1])
    var replayed = mailbox.erased(Mailbox.erasable)
    #expect(replayed.state == mailbox.state)
    #expect(replayed.state.snapshotBytes.count == mailbox.state.snapshotBytes.count)
    let later = [
      Self.mail(nil, replyTo: "c"), Self.mail(nil, replyTo: "r"), Self.mail(nil, replyTo: "a"),
    ]
    for mail in later {
      try mailbox.send("deliver", mail)
      try replayed.send("deliver", mail)
    }
    // 2 still refers to a, and 4 to r; nothing tells of c any more.
    #expect(mailbox.state.threads.threads.suffix(3) == [5, 1, 1])
    #expect(replayed.state.threads == mailbox.state.threads)
  }
}

/// Links of mails as anyone would write them at first.
struct ReferenceLinkTests {
  @Test("Links equal a search of all mails", arguments: SeededRandom.seeds(30))
  func links(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    var links = ReferenceLinks()
    var threads: [UInt32] = [0]
    var plain: [(mail: UInt32, key: UInt64)] = []
    for mail in 1...300 as ClosedRange<UInt32> {
      threads.append(.random(in: 1...mail, using: &random))
      let keys = Set(
        (0..<Int.random(in: 0...3, using: &random)).map { _ in
          UInt64.random(in: 1...20, using: &random)
        }
      ).sorted()
      links.add(keys, of: mail, in: threads[Int(mail)])
      plain += keys.map { (mail, $0) }
      if random.chance(oneIn: 2) {
        let gone = UInt32.random(in: 1...mail, using: &random)
        links.remove(gone, in: threads[Int(gone)])
        plain.removeAll { $0.mail == gone }
      }
      for key in 1...20 as ClosedRange<UInt64> {
        let expected = plain.filter { $0.key == key }.map { threads[Int($0.mail)] }.min()
        #expect(links.thread(of: key) == expected, "seed \(seed), mail \(mail), key \(key)")
      }
    }
    #expect(links.entries.elementsEqual(plain) { $0 == $1 }, "seed \(seed)")
  }
}
