import Domain
import EventSourcing
import FastJSON
import SwipestreamTesting
import Testing

@testable import ReadModels

@Suite("A rebuild")
struct RebuildTests {
  @Test(
    "while events arrive gives the same view, and queries answer throughout",
    arguments: SeededRandom.seeds(3))
  func live(seed: UInt64) async throws {
    let store = InMemoryEventStore()
    var history = RandomHistory(seed: seed)
    for _ in 0..<800 { history.step(store) }
    let directory = TemporaryDirectory()
    try await withViews(of: store, in: directory, batchSize: 20) { views in
      _ = try await views.query(inbox)
      async let first: Void = views.projector.rebuild()
      async let second: Void = views.projector.rebuild("mailbox")
      for _ in 0..<40 {
        for _ in 0..<10 { history.step(store) }
        for stream in [inbox, todo] {
          let view = try await views.query(stream, PageRequest(limit: 1000))
          let position = try #require(view["position"]?.integer)
          let folded = try StateReader(store: store).state(
            of: stream, at: .position(GlobalPosition(UInt64(position))),
            page: PageRequest(limit: 1000))
          #expect(try JSON(parsing: folded) == view, "seed \(seed)")
        }
      }
      _ = try await (first, second)
      #expect(
        directory.viewFiles.allSatisfy { $0 != ViewFileName.mailbox && $0 != ViewFileName.list })
      #expect(directory.viewFiles.count == 3)
      for stream in RandomHistory.mailboxNames + RandomHistory.listNames {
        let folded = try JSON(parsing: try StateReader(store: store).state(of: stream))
        let answer = try await views.query(stream)
        #expect(answer.withoutCursor == folded.withoutCursor)
      }
      #expect(views.projector.statuses.map(\.state) == [.live, .live, .live])
    }
    // The rebuilt file is the one that the next start goes on with.
    let kept = directory.viewFiles
    try await withViews(of: store, in: directory) { views in
      _ = try await views.query(inbox)
      #expect(directory.viewFiles == kept)
    }
  }

  @Test("of a damaged view in use mends it")
  func damagedInUse() async throws {
    let store = InMemoryEventStore()
    var history = RandomHistory(seed: 5)
    for _ in 0..<400 { history.step(store) }
    try await withViews(of: store, in: TemporaryDirectory()) { views in
      let before = try await views.query(inbox)
      // As if a query had met a damaged page.
      let generation = try #require(views.projector.board.entry("mailbox")?.file?.generation)
      views.projector.board.update("mailbox") { $0.damaged = generation }
      views.projector.wake()
      try await views.wait(for: "mailbox") { _ in
        views.projector.board.entry("mailbox")?.file?.generation == generation + 1
      }
      let answer = try await views.query(inbox)
      #expect(answer == before)
    }
  }

  @Test("that cannot read the log fails and leaves the old view in place")
  func failing() async throws {
    let store = InMemoryEventStore()
    var history = RandomHistory(seed: 6)
    for _ in 0..<200 { history.step(store) }
    let directory = TemporaryDirectory()
    try await withViews(of: store, in: directory) { views in
      let before = try await views.query(inbox)
      store.failReads(with: .failed(reason: "unplugged"))
      let error = await #expect(throws: ServiceError.self) {
        try await views.projector.rebuild("mailbox")
      }
      #expect(error?.code == .unavailable)
      store.failReads(with: nil)
      let answer = try await views.query(inbox)
      #expect(answer == before)
      #expect(directory.viewFiles == ViewFileName.all)
      await #expect(throws: ServiceError.self) { try await views.projector.rebuild("threads") }
    }
  }
}
