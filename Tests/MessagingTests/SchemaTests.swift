import ActorRuntime
import Domain
import EventSourcing
import FastJSON
import Messaging
import SwipestreamClient
import SwipestreamTesting
import Testing

/// Stored events of older and of newer schemas, as clients of the real server meet them.
@Suite(.timeLimit(.minutes(2)))
struct SchemaTests {
  /// As if items had been called tasks once, at first without a place.
  private static func upcasters() throws -> Upcasters {
    try Upcasters(
      [
        Upcaster("task.added", from: 1) {
          $0.setting("section", to: 1).setting("after", to: .null)
        },
        Upcaster(renaming: "task.added", from: 2, to: "item.added", schema: 1) {
          $0.renaming("task", to: "item")
        },
      ], to: ["item.added": 1])
  }

  private static func append(
    _ events: [(EventType, UInt16, String)], to stream: String, _ store: InMemoryEventStore
  ) throws {
    var batch = AppendBatch(time: Timestamp(microseconds: 1))
    batch.begin(try StreamID(stream), expecting: .any)
    for (type, schema, data) in events {
      batch.add(type, schema: schema, data: { $0.raw(data.utf8) }, meta: { $0.raw("{}".utf8) })
    }
    store.append(batch) { _ in }
  }

  private static let created: (EventType, UInt16, String) = (
    "list.created", 1, #"{"title":"A","template":"plain"}"#
  )
  private static let section: (EventType, UInt16, String) = (
    "section.added", 1,
    #"{"section":1,"header":null,"footer":null,"traits":{"canAdd":true,"canComplete":true,"#
      + #""canDelete":true,"canReorder":true,"acceptsMoves":true},"completedRole":false,"#
      + #""after":null}"#
  )

  private func withClient(
    _ store: InMemoryEventStore, _ body: (ServiceClient) async throws -> Void
  ) async throws {
    let server = try CommandServer(
      configuration: ServerConfiguration(
        commands: "tcp://127.0.0.1:*", events: "tcp://127.0.0.1:*", version: "test"),
      store: UpcastingEventStore(store, try Self.upcasters()), views: NoViews(),
      clock: SystemClock()
    ) { $0.register(ItemList.self) }
    await server.start()
    let client = try ServiceClient(endpoint: server.endpoints.commands)
    let result: Result<Void, any Error>
    do { result = .success(try await body(client)) } catch { result = .failure(error) }
    client.close()
    await server.stop()
    try result.get()
  }

  private func forms(_ client: ServiceClient, types: Set<EventType> = []) async throws -> [String] {
    var forms: [String] = []
    for try await element in client.events(after: .start, filter: EventFilter(types: types)) {
      switch element {
      case .events(let events):
        forms += events.map {
          "\($0.type) \($0.schema) \($0.data.text)"
        }
      default: return forms
      }
    }
    return forms
  }

  @Test func aSubscriptionGivesOldEventsInTheirPresentForm() async throws {
    let store = InMemoryEventStore()
    try Self.append(
      [
        Self.created, Self.section, ("task.added", 1, #"{"task":1,"text":"x"}"#),
        ("task.added", 2, #"{"task":2,"section":1,"text":"y","after":1}"#),
      ], to: "list/a", store)
    try await withClient(store) { client in
      let items = [
        #"item.added 1 {"item":1,"text":"x","section":1,"after":null}"#,
        #"item.added 1 {"item":2,"section":1,"text":"y","after":1}"#,
      ]
      #expect(
        try await forms(client)
          == ["list.created 1 \(Self.created.2)", "section.added 1 \(Self.section.2)"] + items)
      #expect(try await forms(client, types: ["item.added"]) == items)
      let receipt = try await client.send("add", ["text": "z"], to: try StreamID("list/a"))
      #expect(receipt.outcome == ["item": 3])
    }
  }

  @Test func whatANewerVersionWroteIsPassedOnButNotDecidedOn() async throws {
    let store = InMemoryEventStore()
    try Self.append(
      [Self.created, Self.section, ("item.added", 2, #"{"things":[1]}"#)], to: "list/a", store
    )
    try await withClient(store) { client in
      #expect(try await forms(client).last == #"item.added 2 {"things":[1]}"#)
      let read = try await client.request("read", [.init("from", 2)])
      #expect(read["events"]?[0]?["schema"] == 2)
      #expect(read["events"]?[0]?["data"] == ["things": [1]])
      let list = try StreamID("list/a")
      let error = await #expect(throws: ClientError.self) {
        try await client.send("add", ["text": "z"], to: list)
      }
      #expect(
        error
          == .refused(
            ServiceError(
              .unavailable,
              "list/a at position 3: cannot read item.added of schema 2: a newer version of the "
                + "service wrote it, this one knows schema 1; run the newer one")))
      let other = try await client.send(
        "create", ["title": "B", "template": "plain"], to: try StreamID("list/b"))
      #expect(other.revision == Revision(2))
    }
  }
}
