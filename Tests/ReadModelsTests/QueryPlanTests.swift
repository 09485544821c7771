import Domain
import Testing

@testable import ReadModels

/// That a page costs the same whatever the size: SQLite's own word on it.
@Suite("Query plans")
struct QueryPlanTests {
  @Test(
    "pages are read along the index of the order, from where they begin",
    arguments: [
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

  private func mailboxPlan(_ request: PageRequest) throws -> [String] {
    try plan(
      of: MailboxQueries.text(MailboxQueries.Shape(request)),
      MailboxModel.schema + MailboxModel.orderIndex)
  }

  @Test("a page of one box is read along the index of the order, past nothing that it hides")
  func box() throws {
    let steps = try mailboxPlan(PageRequest())
    #expect(steps[0].contains("USING INDEX mails_order (mailbox=? AND grouping=? AND key>?)"))
    #expect(!steps.contains { $0.contains("TEMP B-TREE") || $0.hasPrefix("SCAN") }, "\(steps)")
  }

  @Test("a page of all boxes merges them, without sorting")
  func allBoxes() throws {
    let steps = try mailboxPlan(PageRequest(box: nil))
    #expect(steps.count { $0.contains("(mailbox=? AND grouping=? AND key>?)") } == 4, "\(steps)")
    #expect(!steps.contains { $0.contains("TEMP B-TREE") || $0.hasPrefix("SCAN m") }, "\(steps)")
  }

  @Test("a page by label or thread looks at those mails only")
  func filters() throws {
    for (request, index) in [
      (PageRequest(label: MailLabel("x")), "labeled USING PRIMARY KEY (mailbox=? AND label=?)"),
      (PageRequest(thread: 1), "mails_thread (thread=?)"),
      (
        PageRequest(box: nil, label: MailLabel("x"), thread: 1),
        "PRIMARY KEY (mailbox=? AND label=?"
      ),
    ] {
      let steps = try mailboxPlan(request)
      #expect(steps.contains { $0.contains(index) }, "\(steps)")
      #expect(steps.contains("SEARCH mails USING INTEGER PRIMARY KEY (rowid=?)"), "\(steps)")
      #expect(!steps.contains { $0.hasPrefix("SCAN mails") || $0.hasPrefix("SCAN labeled") })
    }
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
