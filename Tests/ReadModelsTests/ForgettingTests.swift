import Domain
import EventSourcing
import FastJSON
import SwipestreamTesting
import Testing

@testable import ReadModels

@Suite("Views forget what is erased")
struct ForgettingTests {
  private static let secret = "Xylophonium"

  /// Mails of several mailboxes side by side and moved about: SQLite splits pages and moves rows,
  /// and leaves copies behind.
  @Test("No byte of a purged mail stays in the files", arguments: SeededRandom.seeds(3))
  func mails(seed: UInt64) async throws {
    var random = SeededRandom(seed: seed)
    let store = InMemoryEventStore()
    let streams = (1...4).map { name("mailbox/\($0)") }
    var counts = [Int](repeating: 0, count: 4)
    var secrets: [(stream: StreamID, mail: MailID)] = []
    for _ in 0..<2000 {
      let index = Int.random(in: 0..<4, using: &random)
      counts[index] += 1
      let mail = MailID(counts[index])
      let isSecret = random.chance(oneIn: 3)
      let word = isSecret ? Self.secret : "plain"
      let text = Array(repeating: word, count: .random(in: 1...40, using: &random))
      let content = MailContent(
        from: word, subject: word, message: text.joined(separator: " "))
      store.add([MailboxEvent.delivered(mail, content)], to: streams[index])
      if random.chance(oneIn: 3) {
        let other = MailID(.random(in: 1...counts[index], using: &random))
        store.add([MailboxEvent.reordered(other, after: nil)], to: streams[index])
      }
      if isSecret { secrets.append((streams[index], mail)) }
    }
    let directory = TemporaryDirectory()
    try await withViews(of: store, in: directory) { views in
      _ = try await views.query(streams[0])
      #expect(!directory.files(with: Self.secret).isEmpty)
      for (stream, mail) in secrets {
        let erasure = MailErasure(known: nil)
        store.add([MailboxEvent.trashed(mail), .purged(mail, erasure)], to: stream)
      }
      try await views.projector.forget(Set(streams), upTo: store.head)
      #expect(directory.files(with: Self.secret) == [])
      for stream in streams {
        let folded = try JSON(parsing: try StateReader(store: store).state(of: stream))
        #expect(try await views.query(stream).withoutCursor == folded.withoutCursor)
      }
    }
  }

  @Test("A stream that is parked is built anew from the log that has lost the text")
  func parked() async throws {
    let store = InMemoryEventStore()
    let directory = TemporaryDirectory()
    let content = MailContent(from: Self.secret, subject: "s", message: "m")
    try await withViews(of: store, in: directory) { views in
      store.add([MailboxEvent.delivered(MailID(1), content)], to: inbox)
      store.addRaw([("mail.exploded", 1, Array("{}".utf8))], to: inbox)
      store.add(
        [MailboxEvent.trashed(MailID(1)), .purged(MailID(1), MailErasure(known: nil))], to: inbox)
      _ = try await views.query(inbox)
      let delivered = try store.read(after: .start, limit: ReadLimit(events: 1))[0]
      let redaction = try #require(
        Mailbox.erasable.redaction(of: delivered, where: { $0 == 1 }, parser: JSONParser()))
      try store.redact([redaction])
      try await views.projector.forget([inbox], upTo: store.head)
      #expect(directory.files(with: Self.secret) == [])
    }
  }
}

extension TemporaryDirectory {
  /// The files that hold the text, whatever they are.
  fileprivate func files(with text: String) -> [String] {
    names.filter { read($0).firstRange(of: Array(text.utf8)) != nil }
  }
}
