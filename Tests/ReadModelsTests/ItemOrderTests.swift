import Domain
import EventSourcing
import SwipestreamTesting
import Testing

@testable import ReadModels

@Suite("A section's order, known in memory")
struct ItemOrderTests {
  @Test("answers as the file does", arguments: SeededRandom.seeds(6))
  func likeTheFile(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let list = try RandomItems()
    for step in 0..<1500 {
      try list.step(&random)
      let (section, excluded) = (list.anySection(&random), list.anyItem(&random))
      let anchor = try list.anchor(in: section, &random)
      let known = ItemOrder(list.rows, list.keys(of: section), anchor: anchor)
      let key = try anchor.map { try known.key(of: $0) }
      let answer = try known.firstKey(above: key, excluding: excluded)
      let width = 1 << Int.random(in: 0...30, using: &random)
      let range = (key ?? 0) - width...(key ?? 0) + width
      let limit = Int.random(in: 0...20, using: &random)
      let count = anchor == nil ? nil : try known.count(in: range, upTo: limit)
      let rows = anchor == nil ? nil : try known.rows(in: range)
      try list.rows.prepareOrder()
      let file = list.keys(of: section)
      #expect(try answer == file.firstKey(above: key, excluding: excluded), "\(seed), \(step)")
      guard let count, let rows else { continue }
      #expect(try count == file.count(in: range, upTo: limit), "\(seed), \(step)")
      #expect(try rows == file.rows(in: range), "\(seed), \(step)")
    }
  }

  @Test(
    "leaves the same rows as the file's, which is not asked", arguments: SeededRandom.seeds(4))
  func sameRows(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let (known, asked) = (try ProjectedList(), try ProjectedList())
    var items = 1
    for step in 0..<3000 {
      let event = step < 2 ? section(step + 1) : event(&items, &random)
      try known.project(event)
      try asked.project(event)
      try asked.forget()
    }
    #expect(try known.hasOrderIndex == false)
    try known.forget()
    #expect(try known.contents == asked.contents, "seed \(seed)")
    #expect(try known.contents.count > 20)
    #expect(try asked.hasOrderIndex)
  }

  private func section(_ number: Int) -> ListEvent {
    let content = SectionContent(
      header: nil, footer: nil, traits: SectionTraits(), swipe: .todoOpen, completedRole: false)
    return .sectionAdded(SectionID(number), content, after: nil)
  }

  /// Mostly moves below the same few items, so that gaps are used up.
  private func event(_ items: inout Int, _ random: inout SeededRandom) -> ListEvent {
    if random.chance(oneIn: 3) { return WildEvents.list(&random) }
    let section = SectionID(Int.random(in: 1...2, using: &random))
    let place = ItemPlace(section: section, after: ItemID(Int.random(in: 20...22, using: &random)))
    if random.chance(oneIn: 8) {
      items += 1
      return .itemAdded(ItemID(items), text: "t", place)
    }
    return .itemMoved(ItemID(Int.random(in: 1...items, using: &random)), place)
  }
}

/// Items of two sections, put anywhere.
private final class RandomItems {
  let rows: ItemRows
  private let statements: ListStatements
  private let sections = [1, 2]
  private var sectionOf: [Int: Int] = [:]

  init() throws {
    let file = try SQLiteConnection(path: ":memory:", mode: .readWrite)
    try file.execute(ListModel.schema)
    statements = try ListStatements(file)
    rows = ItemRows(
      statements, orderIndex: OrderIndex("items_order", ListModel.orderIndex, file))
    for section in sections { rows.noteSection(section) }
  }

  func keys(of section: Int) -> KeyedRows {
    KeyedRows(statements: statements.itemKeys, scope: section)
  }

  func anySection(_ random: inout SeededRandom) -> Int { Int.random(in: 1...2, using: &random) }
  func anyItem(_ random: inout SeededRandom) -> Int { Int.random(in: 1...30, using: &random) }

  func anchor(in section: Int, _ random: inout SeededRandom) throws -> Int? {
    let items = sectionOf.filter { $0.value == section }.keys.sorted()
    // Mostly the first, so that its gap is used up.
    return random.chance(oneIn: 3) ? items.randomElement(using: &random) : items.first
  }

  func step(_ random: inout SeededRandom) throws {
    let (item, section) = (anyItem(&random), anySection(&random))
    let anchor = try random.chance(oneIn: 5) ? nil : anchor(in: section, &random)
    guard anchor != item else { return }
    let order = ItemOrder(rows, keys(of: section), anchor: anchor)
    let key = try OrderKeys.place(item, below: anchor, in: order)
    let spot = ItemSpot(section: section, anchor: anchor, key: key)
    switch try rows.item(item) {
    case nil: try rows.add(item, "t", at: spot)
    case let present? where random.chance(oneIn: 12):
      try rows.remove(item, present)
      sectionOf[item] = nil
      return
    case let present? where random.chance(oneIn: 12):
      rows.takeOut(item, present)
      sectionOf[item] = nil
      return
    case let present?: rows.move(item, present, to: spot, completed: false, at: 1)
    }
    sectionOf[item] = section
  }
}

/// One list's view in memory, without an index of its order at first.
private final class ProjectedList {
  private let file: SQLiteConnection
  private let model: ListModel
  private var log = EventSequence(stream: todo)

  init() throws {
    file = try SQLiteConnection(path: ":memory:", mode: .readWrite)
    try file.execute(ListModel.schema)
    model = try ListModel(connection: file)
  }

  func project(_ event: ListEvent) throws { try log.project(event, model) }

  /// Writes all and forgets it, as between two runs of the service.
  func forget() throws {
    try model.flush()
    model.discard()
  }

  var hasOrderIndex: Bool {
    get throws {
      try file.integer("SELECT count(*) FROM sqlite_schema WHERE name = 'items_order'") == 1
    }
  }

  var contents: [String] {
    get throws {
      let query = try file.prepare(
        "SELECT id || ' ' || ifnull(section, '-') || ' ' || key || ' ' || moved FROM items ORDER BY id"
      )
      defer { query.reset() }
      var rows: [String] = []
      while try query.step() { rows.append(query.text(0)) }
      return rows
    }
  }
}
