import Domain
import EventSourcing
import FastJSON
import SwipestreamTesting
import Testing

@testable import ReadModels

/// Ten thousand moves into one gap: the keys that the view stores stay short, however often they are
/// dealt out anew, and nobody sees that they were.
@Suite("Ten thousand moves into one gap")
struct OneGapTests {
  static let moves = 10_000
  static let rows = 300

  /// Which gap the moves go into.
  enum Gap: String, CaseIterable, Sendable {
    /// Directly below one and the same row, which pushes the others down.
    case below
    /// Directly above one and the same row.
    case above
    /// By turns above and below the row that was moved last, so that the gap closes from both sides.
    case closing
  }

  /// The rows as a plain array has them, and the moves.
  struct Rows {
    private(set) var order: [Int]
    private let gap: Gap
    private var step = 0
    private var last: Int

    init(_ order: [Int], _ gap: Gap) {
      (self.order, self.gap, last) = (order, gap, order[order.count / 2])
    }

    /// Makes the next move: who moves, and who is above it then.
    mutating func move() -> (row: Int, above: Int?) {
      step += 1
      let fixed = order.count / 2
      var row = 1 + step * 7 % order.count
      if row == last || row == fixed { row = order[order.count - 1] }
      if row == last || row == fixed { row = order[0] }
      order.removeAll { $0 == row }
      let anchor = gap == .closing ? last : fixed
      let isBelow = gap == .below || gap == .closing && step % 2 == 0
      let index = (order.firstIndex(of: anchor) ?? 0) + (isBelow ? 1 : 0)
      order.insert(row, at: index)
      last = row
      return (row, index == 0 ? nil : order[index - 1])
    }
  }

  @Test("of a mailbox", arguments: Gap.allCases)
  func mailbox(gap: Gap) async throws {
    let content = MailContent(from: "a", subject: "b", message: "c")
    let history = (1...Self.rows).map { MailboxEvent.delivered(MailID($0), content) }
    var rows = Rows((1...Self.rows).reversed(), gap)
    let file = try SQLiteConnection(path: ":memory:", mode: .readWrite)
    try file.execute(MailboxModel.schema + MailboxModel.orderIndex)
    let model = try MailboxModel(connection: file)
    var log = EventSequence(stream: inbox)
    for event in history { try log.project(event, model) }
    var moves: [MailboxEvent] = []
    let longest = try check(file, "mails", model.flush, &rows) { row, above in
      moves.append(.reordered(MailID(row), after: above.map { MailID($0) }))
      try log.project(moves[moves.count - 1], model)
    }
    print("\(Self.moves) moves into one gap of a mailbox (\(gap.rawValue)): \(longest)")
    let store = InMemoryEventStore()
    store.add(history + moves, to: inbox)
    try await expectView(of: store, inbox) { $0["rows"]?.integers("mail") == rows.order }
  }

  @Test("of a list", arguments: Gap.allCases)
  func list(gap: Gap) async throws {
    let section = SectionID(1)
    let content = SectionContent(
      header: nil, footer: nil, traits: SectionTraits(), swipe: .todoOpen, completedRole: false)
    let history: [ListEvent] =
      [.created(title: "t", template: .plain), .sectionAdded(section, content, after: nil)]
      + (1...Self.rows).map {
        .itemAdded(
          ItemID($0), text: "t", ItemPlace(section: section, after: $0 > 1 ? ItemID($0 - 1) : nil))
      }
    var rows = Rows(Array(1...Self.rows), gap)
    let file = try SQLiteConnection(path: ":memory:", mode: .readWrite)
    try file.execute(ListModel.schema + ListModel.orderIndex)
    let model = try ListModel(connection: file)
    var log = EventSequence(stream: todo)
    for event in history { try log.project(event, model) }
    var moves: [ListEvent] = []
    let longest = try check(file, "items", model.flush, &rows) { row, above in
      let place = ItemPlace(section: section, after: above.map { ItemID($0) })
      moves.append(.itemMoved(ItemID(row), place))
      try log.project(moves[moves.count - 1], model)
    }
    print("\(Self.moves) moves into one gap of a list (\(gap.rawValue)): \(longest)")
    let store = InMemoryEventStore()
    store.add(history + moves, to: todo)
    try await expectView(of: store, todo) { $0.placedItems == rows.order.map { [1, $0] } }
  }

  /// Makes all moves and looks again and again at what the file has.
  ///
  /// - Returns: what there is to tell of the keys.
  private func check(
    _ file: SQLiteConnection, _ table: String, _ flush: () throws -> Void, _ rows: inout Rows,
    move: (_ row: Int, _ above: Int?) throws -> Void
  ) throws -> String {
    try flush()
    let written = try file.integer("SELECT total_changes()") ?? 0
    var (longest, closest) = (0, Int.max)
    for step in 1...Self.moves {
      let (row, above) = rows.move()
      try move(row, above)
      guard step % 50 == 0 else { continue }
      try flush()
      let stored = try keys(file, table)
      #expect(stored.map { $0.row } == rows.order, "after \(step) moves")
      for (upper, lower) in zip(stored, stored.dropFirst()) {
        closest = min(closest, lower.key - upper.key)
      }
      longest = max(longest, stored.map { abs($0.key) }.max() ?? 0)
    }
    #expect(closest > 0, "keys stay distinct")
    #expect(longest < 1 << 40, "and far from the end of what an integer holds")
    let rewritten = (try file.integer("SELECT total_changes()") ?? 0) - written
    let bits = longest.bitWidth - longest.leadingZeroBitCount
    return "longest stored key \(String(longest).count) digits (\(bits) bits), "
      + "closest two \(closest) apart, \(rewritten) rows written"
  }

  private func keys(
    _ file: SQLiteConnection, _ table: String
  ) throws -> [(row: Int, key: Int)] {
    let statement = try file.prepare("SELECT id, key FROM \(table) ORDER BY key")
    defer { statement.reset() }
    var keys: [(row: Int, key: Int)] = []
    while try statement.step() {
      keys.append((row: RowID.number(statement.integer(0)), key: statement.integer(1)))
    }
    return keys
  }

  /// The view that the service would show, and the fold of the stream, show the order.
  private func expectView(
    of store: InMemoryEventStore, _ stream: StreamID, _ isRight: (JSON) -> Bool
  ) async throws {
    let page = PageRequest(limit: 1000)
    let folded = try JSON(parsing: try StateReader(store: store).state(of: stream, page: page))
    #expect(isRight(folded))
    try await withViews(of: store, in: TemporaryDirectory(), batchSize: 500) { views in
      let view = try await views.query(stream, page)
      #expect(view == folded)
    }
  }
}
