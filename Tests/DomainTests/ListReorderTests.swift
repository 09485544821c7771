import EventSourcing
import FastJSON
import Testing

@testable import Domain

/// Each test begins with items 1–4 in section 1, 5 and 6 in section 2, none in section 3.
struct ListReorderTests {
  static func list() throws -> Harness<ItemList> {
    var list = try Harness(.plain, items: 4)
    for section in [2, 3] {
      list.take([
        .sectionAdded(
          SectionID(section), ListTemplate.plain.sections[0], after: SectionID(section - 1))
      ])
    }
    for _ in 0..<2 { try list.send("add", ["text": "x", "section": 2]) }
    return list
  }

  struct Case: Sendable, CustomTestStringConvertible {
    let data: JSON
    let sections: [[Int]]
    let events: [(item: Int, section: Int, after: Int?)]
    var testDescription: String { data.text }
    var texts: [String] {
      events.map {
        #"item.moved {"item":\#($0.item),"section":\#($0.section),"after":"#
          + ($0.after.map { "\($0)" } ?? "null") + "}"
      }
    }
  }

  static let cases = [
    Case(
      data: ["item": 3, "first": true], sections: [[3, 1, 2, 4], [5, 6], []], events: [(3, 1, nil)]),
    Case(
      data: ["item": 1, "after": 2, "section": 1], sections: [[2, 1, 3, 4], [5, 6], []],
      events: [(1, 1, 2)]),
    Case(
      data: ["item": 4, "before": 2], sections: [[1, 4, 2, 3], [5, 6], []], events: [(4, 1, 1)]),
    Case(data: ["item": 1, "before": 2], sections: [[1, 2, 3, 4], [5, 6], []], events: []),
    Case(data: ["item": 2, "after": 1], sections: [[1, 2, 3, 4], [5, 6], []], events: []),
    Case(data: ["item": 4, "last": true], sections: [[1, 2, 3, 4], [5, 6], []], events: []),
    Case(
      data: ["items": [4, 1], "last": true], sections: [[2, 3, 1, 4], [5, 6], []],
      events: [(1, 1, 3)]),
    // One event takes it out of one section and into the other, an empty one too.
    Case(
      data: ["item": 2, "section": 2, "first": true], sections: [[1, 3, 4], [2, 5, 6], []],
      events: [(2, 2, nil)]),
    Case(
      data: ["item": 2, "section": 2, "before": 6], sections: [[1, 3, 4], [5, 2, 6], []],
      events: [(2, 2, 5)]),
    Case(
      data: ["item": 2, "section": 3, "last": true], sections: [[1, 3, 4], [5, 6], [2]],
      events: [(2, 3, nil)]),
    // Section by section, each in its order; 6 follows 3 and moves all the same, 5 stays.
    Case(
      data: ["items": [6, 5, 3, 1], "section": 2, "first": true],
      sections: [[2, 4], [1, 3, 5, 6], []],
      events: [(1, 2, nil), (3, 2, 1)]),
    Case(
      data: ["items": [6, 1], "section": 3, "last": true], sections: [[2, 3, 4], [5], [1, 6]],
      events: [(1, 3, nil), (6, 3, 1)]),
  ]

  @Test(arguments: cases)
  func places(_ testCase: Case) throws {
    var list = try Self.list()
    #expect(try list.written("reorder", testCase.data) == testCase.texts)
    #expect(list.sections == testCase.sections)
    #expect(list.replayed == list.state)
  }

  @Test func itemsOfSeveralSectionsNeedASection() throws {
    var list = try Self.list()
    #expect(
      list.refusal("reorder", ["items": [1, 5], "first": true])
        == ServiceError(
          .invalid, "'section' must be given where the items are of several sections"))
    #expect(
      list.refusal("reorder", ["item": 1, "section": 4, "first": true])
        == ServiceError(.notFound, "there is no section 4", ids: [4]))
  }

  @Test func anchors() throws {
    var list = try Self.list()
    try list.send("delete", ["item": 3])
    try list.send("complete", ["item": 4])
    for key in ["after", "before"] {
      func refusal(_ anchor: Int) -> ServiceError? {
        list.refusal("reorder", .object([.init("items", [1, 2]), .init(key, .integer(anchor))]))
      }
      for gone in [3, 5] {
        #expect(
          refusal(gone)
            == ServiceError(
              .anchorGone, "the anchor, item \(gone), is deleted or not in section 1"))
      }
      #expect(refusal(4) == ServiceError(.anchorGone, "the anchor, item 4, is completed"))
      #expect(refusal(7) == ServiceError(.invalid, "the anchor, item 7, never existed"))
      #expect(
        refusal(2)
          == ServiceError(.invalid, "the anchor, item 2, must not be among the items moved"))
    }
    try list.send("purge", ["item": 3])
    #expect(list.refusal("reorder", ["item": 1, "after": 3])?.code == .anchorGone)
    #expect(list.refusal("reorder", ["item": 3, "after": 1])?.code == .notFound)
  }

  @Test func theCompletedSectionIsClosed() throws {
    var list = try Harness(.todo, items: 3)
    try list.send("complete", ["items": [2, 3]])
    let crossing = ServiceError(
      .rejected, "item 1 may not be moved in or out of the section of completed items", ids: [1])
    #expect(list.refusal("reorder", ["item": 1, "section": 2, "first": true]) == crossing)
    #expect(
      list.refusal("reorder", ["items": [2, 1], "section": 1, "first": true])
        == ServiceError(
          .rejected, "item 2 may not be moved in or out of the section of completed items", ids: [2]
        )
    )
    #expect(
      list.refusal("reorder", ["item": 3, "first": true])
        == ServiceError(
          .rejected, "item 3 may not be moved in this section: 'canReorder' is false", ids: [3]))
    #expect(list.refusal("reorder", ["item": 1, "after": 2])?.code == .anchorGone)
  }

  @Test func tenThousandMovesIntoOneGap() throws {
    var list = try Harness(.plain, items: 12)
    for index in 0..<10_000 {
      try list.send("reorder", ["item": .integer(3 + index % 10), "after": 1])
      #expect(list.state.order.isAscending(in: 1))
    }
    #expect(list.sections == [[1, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2]])
  }
}
