import ActorRuntime
import Domain
import EventSourcing
import FastJSON
import Messaging
import SwipestreamClient
import SwipestreamTesting
import Testing

/// Commands that the service sends to itself.
@Suite(.timeLimit(.minutes(1)))
struct ServiceCommandTests {
  private let store = InMemoryEventStore()

  private func withServer(_ body: (CommandServer) async throws -> Void) async throws {
    let server = try CommandServer(
      configuration: ServerConfiguration(
        commands: "tcp://127.0.0.1:*", events: "tcp://127.0.0.1:*", version: "test"),
      store: store, views: NoViews(), clock: SystemClock()
    ) { $0.register(ItemList.self) }
    await server.start()
    try await body(server)
    await server.stop()
    // Whoever comes late is refused rather than left waiting.
    let late = await server.carryOut([try command("late", "create", #"{}"#)])
    #expect(late.map(\.refusal?.code) == [.unavailable])
  }

  private func command(
    _ id: String, _ name: String, _ data: String, to stream: String = "list/a",
    expecting expected: UInt64? = nil
  ) throws -> ServiceCommand {
    ServiceCommand(
      id: try #require(CommandID("~" + id)), stream: try StreamID(stream), name: name,
      data: Array(data.utf8), expected: expected.map { Revision($0) }, cause: GlobalPosition(7))
  }

  private let create = #"{"title":"A","template":"plain"}"#

  @Test func areCarriedOutOnceAndInOrder() async throws {
    try await withServer { server in
      let commands = [
        try command("1", "create", create), try command("2", "add", #"{"text":"x"}"#),
        try command("1", "create", create), try command("3", "add", #"{"text":""}"#),
        try command("4", "add", #"{"text":"y"}"#, expecting: 2),
        try command("5", "add", #"{"text":"z"}"#, to: "system/a"), try command("6", "add", "{"),
      ]
      let answers = await server.carryOut(commands)
      #expect(
        answers.map(\.refusal?.code)
          == [nil, nil, nil, .invalid, .conflict, .forbidden, .malformed])
      #expect(try answers[2].get().isDuplicate)
      #expect(try answers[1].get().outcome == Array(#"{"item":1}"#.utf8))
      let last = try store.read(before: GlobalPosition(.max), limit: ReadLimit(events: 1))[0]
      let meta = String(decoding: last.meta, as: UTF8.self)
      #expect(meta.contains(#""command":"~2""#) && meta.contains(#""causation":"7""#))
      #expect(await server.carryOut([]).isEmpty)
    }
  }

  @Test func areAnsweredBesideThoseOfClients() async throws {
    try await withServer { server in
      let client = try ServiceClient(endpoint: server.endpoints.commands)
      _ = await server.carryOut([try command("0", "create", create)])
      let own = try (1...500).map { try command("\($0)", "add", #"{"text":"own"}"#) }
      async let answers = server.carryOut(own)
      let list = try StreamID("list/a")
      for number in 1...20 {
        _ = try await client.send("add", ["text": "theirs"], to: list, id: "c\(number)")
      }
      #expect(await answers.allSatisfy { $0.refusal == nil })
      #expect(store.head == GlobalPosition(2 + 520))
      await #expect(throws: ClientError.self) {
        try await client.send("add", ["text": "theirs"], to: list, id: "~1")
      }
    }
  }

  @Test func sayWhyTheyFail() async throws {
    try await withServer { server in
      store.refuseAppends(because: "the disk is full")
      let refused = await server.carryOut([try command("1", "create", create)])
      #expect(refused.map(\.refusal?.code) == [.readOnly])
      store.refuseAppends(because: nil)
      let done = await server.carryOut([try command("1", "create", create)])
      #expect(done.map(\.refusal) == [nil])
    }
  }
}
