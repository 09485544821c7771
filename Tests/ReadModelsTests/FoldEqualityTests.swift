import Domain
import EventSourcing
import FastJSON
import SwipestreamTesting
import Testing

@testable import ReadModels

@Suite("Every view equals a fold of its stream (promise 7)")
struct FoldEqualityTests {
  @Test("histories that the rules make", arguments: SeededRandom.seeds(12))
  func decided(seed: UInt64) async throws {
    let store = InMemoryEventStore()
    var history = RandomHistory(seed: seed)
    try await withViews(of: store, in: TemporaryDirectory(), batchSize: 7) { views in
      for _ in 0..<20 {
        for _ in 0..<25 { history.step(store) }
        try await compare(views, RandomHistory.mailboxNames + RandomHistory.listNames, seed)
      }
    }
  }

  @Test("events that no rules made", arguments: SeededRandom.seeds(12))
  func wild(seed: UInt64) async throws {
    let store = InMemoryEventStore()
    var random = SeededRandom(seed: seed)
    try await withViews(of: store, in: TemporaryDirectory(), batchSize: 16) { views in
      for _ in 0..<20 {
        for _ in 0..<20 {
          store.add([WildEvents.mailbox(&random)], to: inbox)
          store.add([WildEvents.list(&random)], to: todo)
        }
        try await compare(views, [inbox, todo], seed)
      }
      #expect(views.projector.statuses.allSatisfy { $0.parked == 0 }, "seed \(seed)")
    }
  }

  @Test("histories of which events are lost", arguments: SeededRandom.seeds(12))
  func lost(seed: UInt64) async throws {
    let whole = InMemoryEventStore()
    var history = RandomHistory(seed: seed)
    for _ in 0..<300 { history.step(whole) }
    var random = SeededRandom(seed: seed)
    let damaged = InMemoryEventStore()
    for event in try whole.read(after: .start, limit: ReadLimit(events: 100_000)) {
      let isLost = random.chance(oneIn: 5)
      damaged.addRaw(
        [
          isLost ? ("log.lost", 1, Array("{}".utf8)) : (event.type, event.schema, Array(event.data))
        ],
        to: event.stream)
    }
    let names = RandomHistory.mailboxNames + RandomHistory.listNames
    try await withViews(of: damaged, in: TemporaryDirectory(), batchSize: 16) { views in
      try await compare(views, names, seed)
      #expect(views.projector.statuses.allSatisfy { $0.parked == 0 }, "seed \(seed)")
    }
    for stream in RandomHistory.mailboxNames {
      try expectNewNumbers(Mailbox.self, of: stream, whole, damaged, seed) { state in
        try state.decide(.deliver(MailContent(from: "a", subject: "b", message: "c")), in: .test)
          .events
      }
    }
    for stream in RandomHistory.listNames {
      try expectNewNumbers(ItemList.self, of: stream, whole, damaged, seed) { state in
        try state.decide(.add(text: "new", nil, .last), in: .test).events
      }
    }
  }

  /// Numbers that were given before the loss are not given again.
  private func expectNewNumbers<Rules: Aggregate>(
    _: Rules.Type, of stream: StreamID, _ whole: InMemoryEventStore, _ damaged: InMemoryEventStore,
    _ seed: UInt64, deciding: (Rules) throws -> [Rules.Event]
  ) throws {
    var state = Rules()
    for event in try decoded(Rules.Event.self, of: stream, in: damaged) { state.apply(event) }
    let given = Set(try decoded(Rules.Event.self, of: stream, in: whole).compactMap { number($0) })
    for _ in 0..<3 {
      // A list whose sections are lost takes no items.
      guard let events = try? deciding(state), let new = events.first.flatMap({ number($0) }) else {
        return
      }
      #expect(!given.contains(new), "seed \(seed)")
      for event in events { state.apply(event) }
    }
  }

  private func decoded<Event: EventCodable>(
    _: Event.Type, of stream: StreamID, in store: InMemoryEventStore
  ) throws -> [Event] {
    let parser = JSONParser()
    defer { withExtendedLifetime(parser) {} }
    return try store.read(stream, after: .none, limit: ReadLimit(events: 100_000)).map {
      try Event(type: $0.type, schema: $0.schema, data: try parser.parse($0.data))
    }
  }

  /// The number that an event gives to a mail or an item.
  private func number(_ event: any EventCodable) -> Int? {
    if let event = event as? MailboxEvent, case .delivered(let mail, _) = event {
      return mail.rawValue
    }
    if let event = event as? ListEvent, case .itemAdded(let item, _, _, _) = event {
      return item.rawValue
    }
    return nil
  }

  private func compare(_ views: Views, _ streams: [StreamID], _ seed: UInt64) async throws {
    let reader = StateReader(store: views.store)
    for stream in streams where try views.store.revision(of: stream) > .none {
      for page in [
        PageRequest(limit: 1000), PageRequest(box: .trash, limit: 1000), PageRequest(limit: 3),
        PageRequest(box: nil, limit: 1000), PageRequest(box: .archive), PageRequest(box: .snoozed),
        PageRequest(box: nil, label: MailLabel("work"), limit: 2),
        PageRequest(label: MailLabel("$x")),
        PageRequest(box: nil, thread: 3, limit: 2), PageRequest(thread: 5),
      ] {
        let folded = try JSON(parsing: try reader.state(of: stream, page: page))
        let stored = try await views.query(stream, page)
        #expect(stored.withoutCursor == folded.withoutCursor, "seed \(seed)")
        #expect(stored["cursor"]?.isNull == folded["cursor"]?.isNull, "seed \(seed)")
        if page == PageRequest(limit: 1000) { try checkCounts(stored, seed) }
      }
    }
  }

  private func checkCounts(_ view: JSON, _ seed: UInt64) throws {
    guard let rows = view["rows"]?.array else { return }
    let counts = view["counts"]
    #expect(counts?["total"]?.integer == rows.count, "seed \(seed)")
    #expect(
      counts?["unread"]?.integer == rows.count { $0["read"]?.bool == false }, "seed \(seed)")
    #expect(
      counts?["flagged"]?.integer == rows.count { $0["flag"]?.bool == true }, "seed \(seed)")
  }

  @Test("the state at every position is what the view said then", arguments: SeededRandom.seeds(3))
  func timeTravel(seed: UInt64) async throws {
    let store = InMemoryEventStore()
    var history = RandomHistory(seed: seed)
    var seen: [(StreamID, GlobalPosition, JSON)] = []
    try await withViews(of: store, in: TemporaryDirectory()) { views in
      for _ in 0..<60 {
        history.step(store)
        for stream in [inbox, todo] where try store.revision(of: stream) > .none {
          seen.append((stream, store.head, try await views.query(stream)))
        }
      }
    }
    let reader = StateReader(store: store)
    for (stream, position, view) in seen {
      let state = try JSON(parsing: try reader.state(of: stream, at: .position(position)))
      #expect(state == view, "seed \(seed)")
    }
  }
}

extension DecisionContext {
  fileprivate static var test: DecisionContext {
    guard let id = CommandID("test") else { fatalError("no command id") }
    return DecisionContext(time: Timestamp(microseconds: 0), command: id)
  }
}
