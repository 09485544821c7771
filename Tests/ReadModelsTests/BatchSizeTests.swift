import Domain
import EventSourcing
import SwipestreamTesting
import Testing

@testable import ReadModels

@Suite("A view's file is the same whatever batches its events come in")
struct BatchSizeTests {
  @Test("histories that the rules make", arguments: SeededRandom.seeds(8))
  func decided(seed: UInt64) async throws {
    let store = InMemoryEventStore()
    var history = RandomHistory(seed: seed)
    for _ in 0..<400 { history.step(store) }
    try await compare(store, seed)
  }

  @Test(
    "events that no rules made, some of which no view can take in", arguments: SeededRandom.seeds(8)
  )
  func wild(seed: UInt64) async throws {
    let store = InMemoryEventStore()
    var random = SeededRandom(seed: seed)
    let streams = (1...3).map { [name("mailbox/\($0)"), name("list/\($0)")] }
    for step in 0..<400 {
      let pair = streams.randomElement(using: &random) ?? streams[0]
      store.add([WildEvents.mailbox(&random)], to: pair[0])
      store.add([WildEvents.list(&random)], to: pair[1])
      if step > 200, random.chance(oneIn: 60) { addPoison(to: store, pair, &random) }
    }
    try await compare(store, seed)
  }

  /// Of the two kinds: found out when it is decoded, and when it has changed rows already.
  private func addPoison(
    to store: InMemoryEventStore, _ streams: [StreamID], _ random: inout SeededRandom
  ) {
    let huge = #""mail":2199023255552,"from":"a","subject":"b","message":"c""#
    let data = random.chance(oneIn: 2) ? #"{"mail":"one"}"# : "{\(huge)}"
    store.addRaw([("mail.delivered", 1, Array(data.utf8))], to: streams[0])
    store.addRaw([("item.deleted", 1, Array(#"{"item":2199023255552}"#.utf8))], to: streams[1])
  }

  private func compare(_ store: InMemoryEventStore, _ seed: UInt64) async throws {
    var random = SeededRandom(seed: seed)
    let expected = try await contents(of: store, batchSize: 1)
    for size in [2, Int.random(in: 3...60, using: &random), 20_000] {
      let contents = try await contents(of: store, batchSize: size)
      #expect(contents == expected, "seed \(seed), batches of \(size)")
    }
  }

  /// All rows of both views, made by following the log and made by a rebuild.
  private func contents(
    of store: InMemoryEventStore, batchSize: Int
  ) async throws -> [[String]] {
    let directory = TemporaryDirectory()
    var contents: [[String]] = []
    try await withViews(of: store, in: directory, batchSize: batchSize) { views in
      for view in ["mailbox", "list", "agenda"] {
        try await views.wait(for: view) { $0.position == store.head }
      }
    }
    for name in directory.viewFiles { contents.append(try rows(of: directory, name)) }
    try await withViews(of: store, in: directory, batchSize: batchSize) { views in
      try await views.projector.rebuild()
    }
    let rebuilt = directory.viewFiles
    for (index, name) in rebuilt.enumerated() {
      #expect(try rows(of: directory, name) == contents[index])
    }
    return contents
  }

  private func rows(of directory: TemporaryDirectory, _ name: String) throws -> [String] {
    let file = try SQLiteConnection(path: directory.path + "/" + name, mode: .readWrite)
    defer { file.close() }
    var rows: [String] = []
    for table in try texts(file, "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY 1") {
      let columns = try texts(file, "SELECT name FROM pragma_table_info('\(table)')")
      let row = columns.map { "quote(\($0))" }.joined(separator: " || ',' || ")
      rows += try texts(file, "SELECT \(row) FROM \(table) ORDER BY 1").map { table + " " + $0 }
    }
    #expect(!rows.isEmpty)
    return rows
  }

  private func texts(_ file: SQLiteConnection, _ sql: String) throws -> [String] {
    let query = try file.prepare(sql)
    defer { query.reset() }
    var texts: [String] = []
    while try query.step() { texts.append(query.text(0)) }
    return texts
  }
}
