import EventSourcing
import FastJSON
import SwipestreamTesting
import Testing

@testable import Domain

/// `purge` with `erase`: the rules. What it does to the log is the eraser's.
struct EraseTests {
  /// Mails 1 to 4: seen by message id, by digest, by both, by neither.
  private func mailbox() throws -> Harness<Mailbox> {
    var mailbox = Harness<Mailbox>()
    for data in Self.deliveries { try mailbox.send("deliver", data) }
    try mailbox.send("trash", ["mails": ids([1, 2, 3, 4])])
    return mailbox
  }

  private static let text: [JSON.Member] = [
    .init("from", "Ada"), .init("subject", "Tea"), .init("message", "At four."),
  ]
  private static let deliveries: [JSON] = [
    .object(text + [.init("messageID", "<1@x>")]),
    .object(text + [.init("digest", "digest-2")]),
    .object(text + [.init("messageID", "<3@x>"), .init("digest", "digest-3")]),
    .object(text),
  ]

  @Test("An erased mail is gone, and still known to deliver, also by the erased log alone")
  func knownAfterErasure() throws {
    var mailbox = try mailbox()
    let written = try mailbox.written("purge", ["mails": ids([1, 2, 3, 4]), "erase": true])
    #expect(written.count == 4)
    #expect(written.allSatisfy { !$0.contains("@x") && !$0.contains("digest-") })
    #expect(written[3] == #"mail.purged {"mail":4,"erased":true}"#)
    #expect(mailbox.visible.isEmpty)
    var replayed = mailbox.erased(Mailbox.erasable)
    #expect(replayed.state == mailbox.state)
    for (index, data) in Self.deliveries.dropLast().enumerated() {
      #expect(try replayed.send("deliver", data) == #"{"mail":\#(index + 1)}"#)
    }
    #expect(try replayed.send("deliver", Self.deliveries[3]) == #"{"mail":5}"#)
    let other = JSON.object(
      Self.text + [.init("messageID", "<3@x>"), .init("digest", "another")])
    #expect(try replayed.send("deliver", other) == #"{"mail":6}"#)
  }

  @Test("A mail that was purged without erasure can still be erased; again changes nothing")
  func eraseLater() throws {
    var mailbox = try mailbox()
    try mailbox.send("purge", ["mail": 1])
    #expect(try mailbox.written("purge", ["mail": 1, "erase": true]).count == 1)
    #expect(try mailbox.written("purge", ["mail": 1, "erase": true]).isEmpty)
    #expect(
      try mailbox.send("purge", ["mails": ids([1, 2]), "erase": true])
        == #"{"results":[{"mail":1,"changed":false},{"mail":2,"changed":true}]}"#)
    #expect(mailbox.refusal("purge", ["mail": 1])?.code == .notFound)
    #expect(mailbox.refusal("restore", ["mail": 1])?.code == .notFound)
  }

  @Test("What is not in the trash is not erased, and what never was is not found")
  func refusals() throws {
    var mailbox = try mailbox()
    try mailbox.send("restore", ["mail": 2])
    let refused = mailbox.refusal("purge", ["mails": ids([1, 2]), "erase": true])
    #expect(refused?.code == .rejected)
    #expect(refused?.ids == [2])
    let missing = mailbox.refusal("purge", ["mails": ids([1, 9]), "erase": true])
    #expect(missing?.code == .notFound)
    #expect(missing?.ids == [9])
  }

  @Test("Items: deleted or purged ones are erased, once")
  func items() throws {
    var list = Harness<ItemList>()
    try list.send("create", ["title": "t", "template": "plain"])
    for text in ["one", "two", "three"] { try list.send("add", ["text": .string(text)]) }
    try list.send("edit", ["item": 1, "text": "secret"])
    #expect(list.refusal("purge", ["item": 1, "erase": true])?.code == .rejected)
    try list.send("delete", ["items": ids([1, 2])])
    try list.send("purge", ["item": 2])
    #expect(
      try list.written("purge", ["items": ids([1, 2]), "erase": true]) == [
        #"item.purged {"item":1,"erased":true}"#, #"item.purged {"item":2,"erased":true}"#,
      ])
    #expect(try list.written("purge", ["items": ids([1, 2]), "erase": true]).isEmpty)
    #expect(list.refusal("purge", ["item": 8, "erase": true])?.code == .notFound)
    let replayed = list.erased(ItemList.erasable)
    #expect(replayed.state == list.state)
    let texts = replayed.events.compactMap { event -> String? in
      switch event {
      case .itemAdded(_, let text, _, _), .itemEdited(_, let text): text
      default: nil
      }
    }
    #expect(texts == ["", "", "three", ""])
  }

  /// Random deliveries of few ids and digests, trashed, purged and erased at random.
  @Test(arguments: SeededRandom.seeds(40))
  func anErasedLogGivesTheSameState(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    var mailbox = Harness<Mailbox>()
    for _ in 0..<300 {
      let mail = JSON.integer(.random(in: 1...max(mailbox.state.states.count, 2), using: &random))
      let (name, data): (String, JSON) =
        switch Int.random(in: 0..<8, using: &random) {
        case 0..<3: ("deliver", MailboxPropertyTests.delivery(&random))
        case 3, 4: ("trash", ["mail": mail])
        case 5: ("purge", ["mail": mail])
        default: ("purge", ["mail": mail, "erase": true])
        }
      _ = try? mailbox.send(name, data)
    }
    var replayed = mailbox.erased(Mailbox.erasable)
    #expect(replayed.state == mailbox.state)
    #expect(mailbox.replayed == mailbox.state)
    for _ in 0..<50 {
      let delivery = MailboxPropertyTests.delivery(&random)
      #expect(try replayed.send("deliver", delivery) == mailbox.send("deliver", delivery))
    }
  }
}

extension Harness {
  /// What a service has that knows nothing but the log from which `erasable` was erased.
  func erased(_ erasable: ErasableEvents) -> Harness {
    let stored = events.enumerated().map { index, event in
      RecordedEvent(
        position: GlobalPosition(UInt64(index + 1)), stream: erasureStream(erasable.category),
        revision: Revision(UInt64(index + 1)), type: event.type, schema: event.schema,
        time: Timestamp(microseconds: 0), data: Array(eventData(event).utf8)[...], meta: [])
    }
    let parser = JSONParser()
    defer { withExtendedLifetime(parser) {} }
    let gone = stored.compactMap { event -> Int? in
      guard event.type == erasable.purge, let data = try? parser.parse(event.data),
        data["erased"]?.bool == true
      else { return nil }
      return data[erasable.subject]?.integer
    }
    var harness = Harness()
    for (event, cause) in zip(stored, causes) {
      let redaction = erasable.redaction(of: event, where: gone.contains, parser: parser)
      let data = redaction?.data ?? Array(event.data)
      #expect(data.count == event.data.count)
      do {
        let read = try A.Event(event.type, String(decoding: data, as: UTF8.self))
        harness.take([read], of: cause)
      } catch {
        Issue.record("\(error)")
      }
    }
    return harness
  }
}

private func erasureStream(_ category: StreamCategory) -> StreamID {
  do { return try StreamID("\(category)/x") } catch { fatalError("\(error)") }
}
