import ActorRuntime
import Domain
import EventSourcing
import FastJSON
import Messaging
import SwipestreamClient
import SwipestreamTesting
import Testing
import Wire

/// Views are not what is tested here.
struct NoViews: ViewProvider {
  func query(_ request: QueryRequest) async throws(ServiceError) -> [UInt8] {
    throw ServiceError(.notFound, "there are no views")
  }
  func state(_ request: StateRequest) async throws(ServiceError) -> [UInt8] {
    throw ServiceError(.notFound, "there are no views")
  }
  func rebuild(_ view: String?) async throws(ServiceError) {}
  var standings: [ViewStanding] { [] }
}

/// The Swift client against the real server, over loopback, on an engine in memory.
@Suite(.timeLimit(.minutes(2)))
struct ServiceClientTests {
  private func server(
    _ store: InMemoryEventStore, commands: String = "tcp://127.0.0.1:*"
  ) async throws -> CommandServer {
    let server = try CommandServer(
      configuration: ServerConfiguration(
        commands: commands, events: "tcp://127.0.0.1:*", version: "test"),
      store: store, views: NoViews(), clock: SystemClock()
    ) { $0.register(ItemList.self) }
    await server.start()
    return server
  }

  private func createList(_ client: ServiceClient) async throws -> StreamID {
    let list = try StreamID("list/a")
    let receipt = try await client.send(
      "create", ["title": "A", "template": "plain"], to: list, id: "create")
    #expect(receipt.revision == Revision(2))
    return list
  }

  @Test func sendsCommandsAndTellsRefusals() async throws {
    let server = try await server(InMemoryEventStore())
    let client = try ServiceClient(endpoint: server.endpoints.commands)
    let list = try await createList(client)
    let first = try await client.send("add", ["text": "x"], to: list, id: "1")
    #expect(first.outcome == ["item": 1])
    let again = try await client.send("add", ["text": "x"], to: list, id: "1")
    #expect(again.isDuplicate && again.position == first.position)
    await #expect(throws: ClientError.self) {
      try await client.send("add", ["text": "y"], to: list, expecting: Revision(1))
    }
    do {
      _ = try await client.send("edit", ["item": 9, "text": "y"], to: list)
      Issue.record("an unknown item was edited")
    } catch .refused(let error) {
      #expect(error.code == .notFound && error.ids == [9])
    }
    client.close()
    await server.stop()
  }

  @Test func saysThatNobodyAnswers() async throws {
    let client = try ServiceClient(endpoint: "tcp://127.0.0.1:9", timeoutMilliseconds: 100)
    do {
      _ = try await client.request("ping")
      Issue.record("somebody answered")
    } catch {
      #expect(error == .noAnswer(endpoint: "tcp://127.0.0.1:9", milliseconds: 100))
    }
    client.close()
  }

  @Test func requestsThatShareAnIDAreAllAnswered() async throws {
    let server = try await server(InMemoryEventStore())
    let client = try ServiceClient(endpoint: server.endpoints.commands)
    let list = try await createList(client)
    let positions = try await withThrowingTaskGroup(of: GlobalPosition.self) { group in
      for _ in 0..<20 {
        group.addTask { try await client.send("add", ["text": "x"], to: list, id: "1").position }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(positions == Array(repeating: GlobalPosition(3), count: 20))
    client.close()
    await server.stop()
  }

  /// Promise 3, the client's side of it: the service goes away and comes back on the same log.
  @Test func aSubscriptionOutlivesTheService() async throws {
    let store = InMemoryEventStore()
    var server = try await server(store)
    let endpoint = server.endpoints.commands
    let client = try ServiceClient(endpoint: endpoint)
    let list = try await createList(client)
    let tail = Task {
      var positions: [GlobalPosition] = []
      for try await element in client.events(after: .start, credit: 3) {
        guard case .events(let events) = element else { continue }
        positions += events.map(\.position)
        if positions.count >= 62 { break }
      }
      return positions
    }
    for round in 0..<3 {
      for index in 0..<20 {
        _ = try await client.send("add", ["text": "x"], to: list, id: "\(round)-\(index)")
      }
      await server.stop()
      server = try await self.server(store, commands: endpoint)
    }
    #expect(try await tail.value == (1...62).map { GlobalPosition($0) })
    client.close()
    await server.stop()
  }
}
