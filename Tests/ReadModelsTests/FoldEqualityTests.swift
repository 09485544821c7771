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

  private func compare(_ views: Views, _ streams: [StreamID], _ seed: UInt64) async throws {
    let reader = StateReader(store: views.store)
    for stream in streams where try views.store.revision(of: stream) > .none {
      for page in [
        PageRequest(limit: 1000), PageRequest(showsTrash: true, limit: 1000), PageRequest(limit: 3),
      ] {
        let folded = try JSON(parsing: try reader.state(of: stream, page: page))
        let stored = try await views.query(stream, page)
        #expect(stored.withoutCursor == folded.withoutCursor, "seed \(seed)")
        #expect(stored["cursor"]?.isNull == folded["cursor"]?.isNull, "seed \(seed)")
        if page.limit == 1000, !page.showsTrash { try checkCounts(stored, seed) }
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
