import Domain
import EventSourcing
import FastJSON
import SwipestreamTesting
import Testing

@testable import ReadModels

@Suite("The agenda")
struct AgendaViewTests {
  private let store = InMemoryEventStore()
  private let content = MailContent(from: "a", subject: "b", message: "c")

  private func second(_ number: Int) -> Timestamp {
    Timestamp(microseconds: Int64(number) * 1_000_000)
  }

  private func due(
    _ views: Views, at time: Int, limit: Int = 100, without exclusions: AgendaExclusions = .init()
  ) async throws -> AgendaPage {
    try await views.queries.due(at: second(time), limit: limit, without: exclusions)
  }

  private func agenda(
    _ views: Views, _ page: PageRequest = PageRequest(), of stream: StreamID = inbox
  ) async throws -> JSON {
    try JSON(
      parsing: try await views.queries.query(
        ViewQuery(
          view: "agenda", stream: stream, page: page, atLeast: store.head, timeout: 60_000)))
  }

  @Test("lists what is due when")
  func lists() async throws {
    store.add((1...4).map { MailboxEvent.delivered(MailID($0), content) }, to: inbox)
    store.add(
      [
        MailboxEvent.snoozed(MailID(1), until: second(100)), .trashed(MailID(2)),
        .moveRequested(MailID(3), to: archive), .snoozed(MailID(4), until: second(50)),
      ], to: inbox)
    try await withViews(of: store, in: TemporaryDirectory()) { views in
      #expect(
        try await agenda(views) == [
          "stream": "mailbox/inbox", "position": 8, "retention": .null,
          "rows": [
            [
              "mail": 3, "work": "move", "due": "1970-01-01T00:00:05.000000Z",
              "to": "mailbox/archive",
            ], ["mail": 4, "work": "wake", "due": "1970-01-01T00:00:50.000000Z"],
            ["mail": 1, "work": "wake", "due": "1970-01-01T00:01:40.000000Z"],
          ], "cursor": .null,
        ])
      store.add([MailboxEvent.retentionConfigured(TrashRetention(seconds: 60))], to: inbox)
      let rows = try await agenda(views)["rows"]
      #expect(rows?.integers("mail") == [3, 4, 2, 1])
      #expect(rows?.array?[2]["work"] == "expire")
      #expect(rows?.array?[2]["due"] == "1970-01-01T00:01:05.000000Z")
    }
  }

  @Test("a mailbox with nothing due has an empty page, and one that is not there none")
  func empty() async throws {
    store.add([MailboxEvent.delivered(MailID(1), content)], to: inbox)
    try await withViews(of: store, in: TemporaryDirectory()) { views in
      let rows = try await agenda(views)["rows"]
      #expect(rows?.array?.isEmpty == true)
      await #expect(throws: ServiceError.self) { try await agenda(views, of: archive) }
    }
  }

  @Test("work is due at its time, until it is done")
  func dueInTime() async throws {
    store.add([MailboxEvent.delivered(MailID(1), content)], to: inbox)
    store.add([MailboxEvent.snoozed(MailID(1), until: second(100))], to: inbox)
    try await withViews(of: store, in: TemporaryDirectory()) { views in
      try await views.wait(for: "agenda") { $0.position == store.head }
      #expect(try await due(views, at: 99) == AgendaPage(works: [], next: second(100)))
      #expect(
        try await due(views, at: 100).works == [
          DueWork(
            kind: .wake, stream: inbox, subject: 1, due: second(100), cause: GlobalPosition(2),
            revision: Revision(2))
        ])
      // Without a wait: what the log has already is in the answer.
      store.add([MailboxEvent.unsnoozed(MailID(1), .time)], to: inbox)
      #expect(try await due(views, at: 200) == AgendaPage())
    }
  }

  @Test("the trash is emptied as its mailbox says at last")
  func retention() async throws {
    store.add(
      [
        MailboxEvent.delivered(MailID(1), content),
        .delivered(MailID(2), MailContent(from: "a", subject: "b", message: "c", trashed: true)),
      ], to: inbox)
    store.add([MailboxEvent.trashed(MailID(1))], to: inbox)
    try await withViews(of: store, in: TemporaryDirectory()) { views in
      try await views.wait(for: "agenda") { $0.position == store.head }
      #expect(try await due(views, at: 1_000_000) == AgendaPage())
      store.add([MailboxEvent.retentionConfigured(TrashRetention(seconds: 10))], to: inbox)
      try await views.wait(for: "agenda") { $0.position == store.head }
      #expect(try await due(views, at: 10).next == second(11))
      #expect(try await due(views, at: 11).works.map(\.subject) == [2])
      #expect(try await due(views, at: 13).works.map(\.subject) == [2, 1])
      store.add([MailboxEvent.restored(MailID(2)), .trashed(MailID(2))], to: inbox)
      let works = try await due(views, at: 13).works
      #expect(works.map(\.subject) == [1])
      #expect(works[0].revision == Revision(6), "what is decided on this reflects the restoring")
      store.add([MailboxEvent.retentionConfigured(nil)], to: inbox)
      #expect(try await due(views, at: 1_000_000) == AgendaPage())
    }
  }

  @Test("leaves out what is excluded, and gives every stream its share")
  func shares() async throws {
    for number in 1...3 {
      store.add(
        (1...50).map { MailboxEvent.snoozed(MailID($0), until: second($0)) },
        to: name("mailbox/m\(number)"))
    }
    try await withViews(of: store, in: TemporaryDirectory()) { views in
      try await views.wait(for: "agenda") { $0.position == store.head }
      let first = try await due(views, at: 100, limit: 24).works
      #expect(first.count == 24)
      let counts = Dictionary(grouping: first, by: \.stream).mapValues(\.count)
      #expect(counts.count == 3 && counts.values.allSatisfy { $0 >= 3 })
      var exclusions = AgendaExclusions()
      exclusions.groups = [.init(kind: .wake, stream: name("mailbox/m1"))]
      exclusions.works = [.init(kind: .wake, cause: GlobalPosition(51))]
      let rest = try await due(views, at: 100, limit: 1000, without: exclusions).works
      #expect(rest.count == 99)
      #expect(!rest.contains { $0.stream == name("mailbox/m1") || $0.cause == GlobalPosition(51) })
      exclusions.groups = Set((1...3).map { .init(kind: .wake, stream: name("mailbox/m\($0)")) })
      #expect(
        try await due(views, at: 10, without: exclusions) == AgendaPage(works: [], next: second(11))
      )
    }
  }

  @Test("says what became of a move")
  func moves() async throws {
    store.add((1...3).map { MailboxEvent.delivered(MailID($0), content) }, to: inbox)
    store.add((1...3).map { MailboxEvent.moveRequested(MailID($0), to: archive) }, to: inbox)
    let command = CommandReceipt(
      stream: inbox, revision: Revision(6), position: GlobalPosition(6), eventCount: 3,
      outcome: [])
    try await withViews(of: store, in: TemporaryDirectory()) { views in
      #expect(
        try JSON(parsing: try await views.queries.moves(of: command))
          == ["moved": [], "underWay": 3])
      store.add(
        [
          MailboxEvent.moved(MailID(2), to: archive, as: MailID(9)),
          .moveFailed(MailID(1), to: archive, reason: "it is full"),
        ], to: inbox)
      _ = try await agenda(views)
      #expect(
        try JSON(parsing: try await views.queries.moves(of: command)) == [
          "moved": [["mail": 2, "to": "mailbox/archive", "as": 9]],
          "failed": [["mail": 1, "to": "mailbox/archive", "reason": "it is full"]], "underWay": 1,
        ])
      try await views.projector.rebuild("agenda")
      #expect(
        try JSON(parsing: try await views.queries.moves(of: command))["underWay"] == 1)
    }
  }

  @Test("takes no part in what does not concern it")
  func unconcerned() async throws {
    store.add([MailboxEvent.delivered(MailID(1), content), .flagged(MailID(1))], to: inbox)
    let told = MailContent(from: "\"trashed\":true", subject: "b", message: "c")
    store.add([MailboxEvent.delivered(MailID(2), told)], to: inbox)
    for event in try store.read(after: .start, limit: ReadLimit(events: 10)) {
      #expect(event.withView { !AgendaChange.mayBe($0) })
    }
  }

  @Test("its pages equal those of a fold, page by page", arguments: SeededRandom.seeds(12))
  func equalsFold(seed: UInt64) async throws {
    var random = SeededRandom(seed: seed)
    var history = RandomHistory(seed: seed)
    let wild = name("mailbox/wild")
    try await withViews(of: store, in: TemporaryDirectory(), batchSize: 7) { views in
      let reader = StateReader(store: store)
      for _ in 0..<15 {
        for _ in 0..<20 {
          history.step(store)
          store.add([WildEvents.mailbox(&random)], to: wild)
        }
        for stream in RandomHistory.mailboxNames + [wild] {
          guard try store.revision(of: stream) > .none else { continue }
          for limit in [1000, 2] {
            var cursor: String?
            repeat {
              let page = PageRequest(limit: limit, cursor: cursor)
              let stored = try await agenda(views, page, of: stream)
              let folded = try JSON(
                parsing: try reader.state(of: stream, view: "agenda", page: page))
              #expect(stored == folded, "seed \(seed)")
              cursor = stored["cursor"]?.string
            } while cursor != nil
          }
        }
      }
    }
  }

  @Test("pages and due work are read along the order's index")
  func plans() throws {
    let file = try SQLiteConnection(path: ":memory:", mode: .readWrite)
    try file.execute(AgendaModel.schema)
    let plan = try file.prepare("EXPLAIN QUERY PLAN " + AgendaReader.query)
    defer { plan.reset() }
    #expect(try plan.step())
    #expect(plan.text(3).hasPrefix("SEARCH work USING COVERING INDEX work_order"))
    #expect(try !plan.step())
  }
}
