import EventSourcing
import FastJSON
import SwipestreamTesting
import Testing

@testable import Domain
@testable import ReadModels

/// What holds for the views after any commands.
struct ViewRules {
  /// Asks for both views of a random history again and again.
  private func onViews(
    seed: UInt64, _ check: (RandomHistory, StreamID, _ view: JSON) throws -> Void
  ) async throws {
    let store = InMemoryEventStore()
    var history = RandomHistory(seed: seed)
    try await withViews(of: store, in: TemporaryDirectory(), batchSize: 7) { views in
      for _ in 0..<15 {
        for _ in 0..<20 { history.step(store) }
        for stream in RandomHistory.mailboxNames + RandomHistory.listNames
        where try store.revision(of: stream) > .none {
          try check(history, stream, try await views.query(stream, PageRequest(limit: 1000)))
        }
      }
    }
  }

  @Test(arguments: SeededRandom.seeds(3))
  func aViewShowsWhatTheAggregateHolds(seed: UInt64) async throws {
    try await onViews(seed: seed) { history, stream, view in
      if let mailbox = history.mailboxes[stream] {
        let rows = view["rows"]?.array ?? []
        #expect(rows.compactMap { $0["mail"]?.integer } == mailbox.rows)
        for row in rows {
          let state = mailbox.states[row["mail"]?.integer ?? 0]
          #expect(row["read"] == .bool(state.contains(.read)))
          #expect(row["flag"] == .bool(state.contains(.flagged)))
        }
      } else if let list = history.lists[stream] {
        #expect(view.placedItems == list.places)
        for item in (view["sections"]?.array ?? []).flatMap({ $0["items"]?.array ?? [] }) {
          let state = list.states[item["item"]?.integer ?? 0]
          #expect(item["completed"] == .bool(state.contains(.completed)))
        }
      }
    }
  }

  @Test(arguments: SeededRandom.seeds(3))
  func countsAreExact(seed: UInt64) async throws {
    try await onViews(seed: seed) { history, stream, view in
      let counts = view["counts"]
      if let mailbox = history.mailboxes[stream] {
        let rows = mailbox.rows.map { mailbox.states[$0] }
        #expect(counts?["total"]?.integer == rows.count)
        #expect(counts?["unread"]?.integer == rows.count { !$0.contains(.read) })
        #expect(counts?["flagged"]?.integer == rows.count { $0.contains(.flagged) })
        let present = numbers(of: mailbox.order, in: 0).map { mailbox.states[$0].box }
        #expect(counts?["trash"]?.integer == present.count { $0 == .trash })
        #expect(counts?["archived"]?.integer == present.count { $0 == .archive })
        #expect(counts?["snoozed"]?.integer == present.count { $0 == .snoozed })
      } else if let list = history.lists[stream] {
        let states = list.places.map { list.states[$0[1]] }
        #expect(counts?["open"]?.integer == states.count { !$0.contains(.completed) })
        #expect(counts?["completed"]?.integer == states.count { $0.contains(.completed) })
      }
    }
  }

  /// Unread and flagged an orange ring with a blue core, flagged orange, read clear, unread blue.
  @Test(arguments: SeededRandom.seeds(3))
  func theIndicatorFollowsTheState(seed: UInt64) async throws {
    try await onViews(seed: seed) { _, _, view in
      for row in view["rows"]?.array ?? [] {
        let expected: JSON =
          switch (row["read"]?.bool, row["flag"]?.bool) {
          case (false, true): ["color": "#FF950D", "core": "#007AFF"]
          case (true, true): ["color": "#FF950D", "core": .null]
          case (true, false): ["color": .null, "core": .null]
          default: ["color": "#007AFF", "core": .null]
          }
        #expect(row["indicator"] == expected)
      }
    }
  }

  /// Of every row, by the settings of now, whenever the row was written.
  @Test(arguments: SeededRandom.seeds(3))
  func titlesFollowStateAndSettings(seed: UInt64) async throws {
    try await onViews(seed: seed) { history, stream, view in
      guard let mailbox = history.mailboxes[stream] else { return }
      for row in view["rows"]?.array ?? [] {
        let settings = mailbox.swipeSettings(of: MailID(row["mail"]?.integer ?? 0))
        for direction in SwipeDirection.allCases {
          let titles = settings[direction].titles(
            read: row["read"]?.bool ?? false, flag: row["flag"]?.bool ?? false)
          #expect(row["titles"]?[direction.rawValue] == .array(titles.map { .string($0) }))
        }
      }
    }
  }
}

extension Mailbox {
  /// The mails in the inbox, pinned ones first, each group in its order.
  fileprivate var rows: [Int] {
    let inbox = numbers(of: order, in: 0).filter { states[$0].isInInbox }
    return inbox.filter { states[$0].contains(.pinned) }
      + inbox.filter { !states[$0].contains(.pinned) }
  }
}

extension ItemList {
  /// The items in sight, each with its section.
  fileprivate var places: [[Int]] {
    sectionOrder.flatMap { section in
      numbers(of: order, in: section.rawValue).map { [section.rawValue, $0] }
    }
  }
}

private func numbers(of order: OrderChain, in lane: Int) -> [Int] {
  var numbers: [Int] = []
  var number = order.first(in: lane)
  while number != 0 {
    numbers.append(Int(number))
    number = order.number(after: number)
  }
  return numbers
}
