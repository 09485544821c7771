import Domain
import EventSourcing
import SwipestreamTesting
import Testing

@testable import ReadModels

@Suite("Waiting for a position")
struct WaitingTests {
  private let content = MailContent(from: "a", subject: "b", message: "c")

  @Test("ends when the view has come to it")
  func reached() async throws {
    let store = InMemoryEventStore()
    store.add([MailboxEvent.delivered(MailID(1), content)], to: inbox)
    try await withViews(of: store, in: TemporaryDirectory()) { views in
      let query = ViewQuery(
        view: "mailbox", stream: inbox, atLeast: GlobalPosition(3), timeout: 60_000)
      async let answer = views.queries.query(query)
      // Also an event for another view counts.
      store.add([MailboxEvent.delivered(MailID(2), content)], to: inbox)
      store.add([ListEvent.created(title: "t", template: .plain)], to: todo)
      let text = String(decoding: try await answer, as: UTF8.self)
      #expect(text.contains(#""revision":2,"position":3"#))
    }
  }

  @Test("times out and says where things are")
  func timeout() async throws {
    let store = InMemoryEventStore()
    store.add([MailboxEvent.delivered(MailID(1), content)], to: inbox)
    try await withViews(of: store, in: TemporaryDirectory()) { views in
      _ = try await views.query(inbox)
      let beyond = ViewQuery(
        view: "mailbox", stream: inbox, atLeast: GlobalPosition(9), timeout: 10)
      var error = await #expect(throws: ServiceError.self) {
        try await views.queries.query(beyond)
      }
      #expect(error?.code == .timeout)
      #expect(error?.message == "position 9 is beyond the log's head 1, the view mailbox is at 1")

      store.failReads(with: .failed(reason: "unplugged"))
      store.add([MailboxEvent.delivered(MailID(2), content)], to: inbox)
      try await views.wait(for: "mailbox") { $0.state == .failed }
      let committed = ViewQuery(
        view: "mailbox", stream: inbox, atLeast: GlobalPosition(2), timeout: 0)
      error = await #expect(throws: ServiceError.self) {
        try await views.queries.query(committed)
      }
      #expect(error?.code == .timeout)
      #expect(
        error?.message
          == "committed at 2, the view mailbox is at 1, as it fails: the log cannot be read: unplugged"
      )
    }
  }

  @Test("ends when the service stops")
  func stop() async throws {
    let store = InMemoryEventStore()
    let projector = Projector(store: store, directory: TemporaryDirectory().path)
    let queries = ViewQueries(projector: projector)
    await projector.start()
    await queries.start()
    let waiting = Task {
      try await queries.query(
        ViewQuery(view: "mailbox", stream: inbox, atLeast: GlobalPosition(1), timeout: 60_000))
    }
    await Task.yield()
    await queries.stop()
    await projector.stop()
    let error = await #expect(throws: ServiceError.self) { try await waiting.value }
    #expect(error?.code == .unavailable)
    await #expect(throws: ServiceError.self) { try await projector.rebuild() }
  }
}
