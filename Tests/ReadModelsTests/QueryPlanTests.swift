import Testing

@testable import ReadModels

/// That a page costs the same whatever the size: SQLite's own word on it.
@Suite("Query plans")
struct QueryPlanTests {
  @Test(
    "pages are read along the index of the order, from where they begin",
    arguments: [
      (MailboxModel.schema + MailboxModel.orderIndex, MailboxReader.query, "mails_order"),
      (ListModel.schema + ListModel.orderIndex, ListReader.itemQuery, "items_order"),
      (ListModel.schema + ListModel.orderIndex, ListReader.sectionQuery, "sections_order"),
    ])
  func pages(tables: String, query: String, index: String) throws {
    let steps = try plan(of: query, tables)
    #expect(steps.count == 1 && steps[0].hasPrefix("SEARCH"), "\(steps)")
    #expect(steps[0].contains("USING INDEX \(index) ("), "\(steps)")
    // The last condition is the key's: the search begins at it.
    #expect(steps[0].contains("key>"), "\(steps)")
  }

  @Test("heads are found by their streams")
  func heads() throws {
    for (tables, query) in [
      (MailboxModel.schema, MailboxHead.query), (ListModel.schema, ListHead.query),
    ] {
      let steps = try plan(of: query, tables)
      #expect(steps.count == 1 && steps[0].contains("(stream=?)"), "\(steps)")
    }
  }

  private func plan(of query: String, _ tables: String) throws -> [String] {
    let file = try SQLiteConnection(path: ":memory:", mode: .readWrite)
    try file.execute(tables)
    let plan = try file.prepare("EXPLAIN QUERY PLAN " + query)
    defer { plan.reset() }
    var steps: [String] = []
    while try plan.step() { steps.append(plan.text(3)) }
    return steps
  }
}
