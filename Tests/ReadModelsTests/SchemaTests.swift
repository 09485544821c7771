import Domain
import EventSourcing
import FastJSON
import SwipestreamTesting
import Testing

@testable import ReadModels

@Suite("Schemas of other versions")
struct SchemaTests {
  private let content = MailContent(from: "a", subject: "b", message: "c")

  /// As if flags had been stars once, and a star's mail had been called something else before.
  private func upcasters() throws -> Upcasters {
    try Upcasters(
      [
        Upcaster("mail.starred", from: 1) { $0.renaming("message", to: "mail") },
        Upcaster(renaming: "mail.starred", from: 2, to: "mail.flagged", schema: 1),
      ], to: ["mail.flagged": 1])
  }

  @Test("older ones are brought up before a view or a state of the past takes them in")
  func older() async throws {
    let store = InMemoryEventStore()
    store.add((1...3).map { MailboxEvent.delivered(MailID($0), content) }, to: inbox)
    store.addRaw(
      [
        ("mail.starred", 1, Array(#"{"message":1}"#.utf8)),
        ("mail.starred", 2, Array(#"{"mail":2}"#.utf8)),
      ], to: inbox)
    let events = UpcastingEventStore(store, try upcasters())
    let directory = TemporaryDirectory()
    let projector = Projector(
      store: events, directory: directory.path, batchSize: 2, retryMilliseconds: 5)
    let queries = ViewQueries(projector: projector)
    await projector.start()
    await queries.start()
    for _ in 0..<2 {
      let views = Views(store: store, projector: projector, queries: queries)
      let answer = try await views.query(inbox)
      #expect(answer["rows"]?.array?.map { $0["flag"] } == [false, true, true])
      #expect(answer["parked"] == nil)
      #expect(
        try JSON(parsing: try StateReader(store: events).state(of: inbox)) == answer)
      try await projector.rebuild("mailbox")
    }
    await queries.stop()
    await projector.stop()
  }

  @Test("newer ones park with their stream's later events, say why, and touch nothing else")
  func newer() async throws {
    let store = InMemoryEventStore()
    let other = name("mailbox/other")
    store.add([MailboxEvent.delivered(MailID(1), content)], to: inbox)
    store.addRaw([("mail.flagged", 2, Array(#"{"mails":[1]}"#.utf8))], to: inbox)
    store.add([MailboxEvent.read(MailID(1))], to: inbox)
    store.add([MailboxEvent.delivered(MailID(1), content)], to: other)
    let directory = TemporaryDirectory()
    try await withViews(of: store, in: directory) { views in
      let parked = try await views.query(inbox)
      #expect(parked["revision"] == 1 && parked["parked"] == 2)
      let flowing = try await views.query(other)
      #expect(flowing["revision"] == 1 && flowing["parked"] == nil)
      #expect(views.status("mailbox")?.state == .degraded)
    }
    let error = #expect(throws: ServiceError.self) {
      try StateReader(store: store).state(of: inbox)
    }
    #expect(
      error
        == ServiceError(
          .unavailable,
          "event 2 cannot be projected: cannot read mail.flagged of schema 2: a newer version of "
            + "the service wrote it, this one knows schema 1; run the newer one"))
    #expect(throws: Never.self) { try StateReader(store: store).state(of: other) }
  }
}
