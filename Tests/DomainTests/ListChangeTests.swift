import EventSourcing
import FastJSON
import Testing

@testable import Domain

/// Completing, deleting, and the way back.
struct ListChangeTests {
  @Test func completesIntoTheCompletedSection() throws {
    var list = try Harness(.todo, items: 4)
    #expect(
      try list.written("complete", ["item": 2])
        == [#"item.completed {"item":2,"section":2,"after":null}"#])
    #expect(
      try list.written("complete", ["items": [4, 2, 1]]) == [
        #"item.completed {"item":4,"section":2,"after":2}"#,
        #"item.completed {"item":1,"section":2,"after":4}"#,
      ])
    #expect(list.sections == [[3], [2, 4, 1]])
    #expect(
      try list.send("complete", ["items": [3, 2]])
        == #"{"results":[{"item":3,"changed":true},{"item":2,"changed":false}]}"#)
    #expect(try list.send("complete", ["item": 2]) == "{}")
  }

  @Test func completesInPlaceWhereThereIsNoCompletedSection() throws {
    var list = try Harness(.plain, items: 3)
    #expect(
      try list.written("complete", ["items": [3, 2]]) == [
        #"item.completed {"item":3,"section":1,"after":2}"#,
        #"item.completed {"item":2,"section":1,"after":1}"#,
      ])
    try list.send("reorder", ["item": 2, "first": true])
    #expect(
      try list.written("reopen", ["item": 2])
        == [#"item.reopened {"item":2,"section":1,"after":null}"#])
    #expect(list.sections == [[2, 1, 3]])
    #expect(list.state.state(ItemID(3)) == .completed)
  }

  @Test func reopensBelowWhatItWasBelow() throws {
    var list = try Harness(.todo, items: 4)
    try list.send("complete", ["item": 3])
    try list.send("reorder", ["item": 2, "last": true])
    #expect(
      try list.written("reopen", ["item": 3])
        == [#"item.reopened {"item":3,"section":1,"after":2}"#])
    #expect(list.sections == [[1, 4, 2, 3], []])
    #expect(try list.written("reopen", ["item": 3]) == [])
  }

  @Test func reopensAboveWhatItWasAbove() throws {
    var list = try Harness(.todo, items: 4)
    try list.send("complete", ["item": 3])
    try list.send("delete", ["item": 2])
    try list.send("reorder", ["item": 4, "first": true])
    #expect(
      try list.written("reopen", ["item": 3])
        == [#"item.reopened {"item":3,"section":1,"after":null}"#])
    #expect(list.sections == [[3, 4, 1], []])
  }

  @Test func reopensAtTheEndWithoutItsNeighbours() throws {
    var list = try Harness(.todo, items: 5)
    try list.send("complete", ["item": 3])
    try list.send("delete", ["items": [2, 4]])
    try list.send("reopen", ["item": 3])
    #expect(list.sections == [[1, 5, 3], []])
  }

  /// The section for completed items was removed, and what was in it moved to where it came from.
  @Test func reopensInTheSectionThatItCameBackTo() throws {
    for items in [[3], [1, 2, 3], [3, 1]] {
      var list = try Harness(.todo, items: 3)
      try list.send("complete", ["items": [1, 2, 3]])
      try list.send("remove-section", ["section": 2, "items": "move", "to": 1])
      try list.send("reopen", ["items": ids(items)])
      #expect(items.allSatisfy { list.state.state(ItemID($0)) == [] })
      #expect(list.sections.first?.sorted() == [1, 2, 3])
      #expect(list.replayed == list.state)
    }
  }

  @Test func aBatchRebuildsTheOrder() throws {
    for order in [[2, 3, 4], [4, 3, 2], [3, 2, 4]] {
      var list = try Harness(.todo, items: 6)
      try list.send("complete", ["items": ids(order)])
      try list.send("reopen", ["items": [2, 3, 4]])
      #expect(list.sections == [[1, 2, 3, 4, 5, 6], []])
      try list.send("delete", ["items": ids(order)])
      try list.send("restore", ["items": [3, 4, 2]])
      #expect(list.sections == [[1, 2, 3, 4, 5, 6], []])
      #expect(list.replayed == list.state)
    }
  }

  @Test func deletesAndRestores() throws {
    var list = try Harness(.todo, items: 3)
    #expect(try list.written("delete", ["item": 2]) == [#"item.deleted {"item":2}"#])
    #expect(try list.written("delete", ["item": 2]) == [])
    #expect(list.sections == [[1, 3], []])
    #expect(
      try list.written("restore", ["item": 2])
        == [#"item.restored {"item":2,"section":1,"after":1}"#])
    #expect(try list.written("restore", ["item": 2]) == [])
  }

  @Test func deletesTheLastItemOfASection() throws {
    var list = try Harness(.todo, items: 1)
    try list.send("delete", ["item": 1])
    #expect(list.sections == [[], []])
    #expect(
      try list.written("restore", ["item": 1])
        == [#"item.restored {"item":1,"section":1,"after":null}"#])
  }

  @Test func aDeletedItemComesBackCompletedAndCanBeReopened() throws {
    var list = try Harness(.todo, items: 3)
    try list.send("complete", ["items": [2, 3]])
    try list.send("delete", ["item": 2])
    #expect(list.sections == [[1], [3]])
    try list.send("restore", ["item": 2])
    #expect(list.sections == [[1], [2, 3]])
    #expect(list.state.state(ItemID(2)) == .completed)
    try list.send("reopen", ["item": 2])
    #expect(list.sections == [[1, 2], [3]])
  }

  @Test func purgesDeletedItemsOnly() throws {
    var list = try Harness(.todo, items: 3)
    try list.send("delete", ["item": 2])
    #expect(
      list.refusal("purge", ["items": [1, 2]])
        == ServiceError(.rejected, "item 1 must be deleted to be purged", ids: [1]))
    #expect(try list.written("purge", ["item": 2]) == [#"item.purged {"item":2}"#])
    #expect(
      list.refusal("restore", ["items": [2, 9]])
        == ServiceError(.notFound, "there are no items with 2 of these ids", ids: [2, 9]))
    #expect(try list.send("add", ["text": "x"]) == #"{"item":4}"#)
  }

  @Test func aDeletedItemCanOnlyBeRestoredOrPurged() throws {
    var list = try Harness(.todo, items: 2)
    try list.send("delete", ["item": 1])
    let refused: [(String, JSON, String)] = [
      ("complete", ["item": 1], "completed"), ("reopen", ["item": 1], "reopened"),
      ("edit", ["item": 1, "text": "x"], "edited"),
      ("reorder", ["item": 1, "first": true], "moved"),
      ("swipe", ["item": 1, "direction": "left-to-right", "extent": 1], "swiped"),
      ("press", ["item": 1, "direction": "left-to-right", "button": 0], "swiped"),
    ]
    for (name, data, what) in refused {
      #expect(
        list.refusal(name, data)
          == ServiceError(.rejected, "item 1 must not be deleted to be \(what)", ids: [1]))
    }
  }

  @Test func traitsForbid() throws {
    var list = try Harness(.plain, items: 0)
    let second = SectionContent(
      header: nil, footer: nil,
      traits: SectionTraits(canComplete: false, canDelete: false, canReorder: false),
      swipe: SwipeSettings(), completedRole: false)
    list.take([.sectionAdded(SectionID(2), second, after: nil)])
    #expect(list.state.sectionOrder == [SectionID(2), SectionID(1)])
    try list.send("add", ["text": "x"])
    try list.send("add", ["text": "y", "section": 1])
    #expect(list.sections == [[1], [2]])
    #expect(
      list.refusal("complete", ["items": [2, 1]])
        == ServiceError(
          .rejected, "item 1 may not be completed in this section: 'canComplete' is false", ids: [1]
        ))
    #expect(
      list.refusal("delete", ["items": [2, 1]])
        == ServiceError(
          .rejected, "item 1 may not be deleted in this section: 'canDelete' is false", ids: [1]))
    #expect(
      list.refusal("reorder", ["item": 1, "first": true])
        == ServiceError(
          .rejected, "item 1 may not be moved in this section: 'canReorder' is false", ids: [1]))
  }

  @Test func anEventThatMakesNoSenseChangesNothing() throws {
    let list = try Harness(.todo, items: 2)
    let there = ItemPlace(section: SectionID(1), after: nil)
    for event: ListEvent in [
      .itemAdded(ItemID(2), text: "x", there),
      .itemAdded(ItemID(.max), text: "x", there),
      .itemMoved(ItemID(1), ItemPlace(section: SectionID(1), after: ItemID(1))),
      .itemMoved(ItemID(1), ItemPlace(section: SectionID(.max), after: nil)),
      .itemMoved(ItemID(9), there), .itemReopened(ItemID(1), there),
      .itemRestored(ItemID(1), there), .itemDeleted(ItemID(7)), .itemEdited(ItemID(0), text: ""),
    ] {
      var state = list.state
      state.apply(event)
      #expect(state == list.state)
    }
  }

  @Test func whatLostEventsGaveIsNotGivenAgain() throws {
    let list = try Harness(.todo, items: 2)
    var state = list.state
    state.apply(.lost)
    state.apply(.lost)
    #expect(state.nextItem == ItemID(5))
    #expect(try ItemList(snapshotBytes: state.snapshotBytes) == state)
    // The next number that is known tells that one of the two added an item.
    state.apply(.itemAdded(ItemID(4), text: "x", ItemPlace(section: SectionID(1), after: nil)))
    #expect(state.nextItem == ItemID(5))
    #expect(state.state(ItemID(3)) == nil && state.state(ItemID(4)) == [])
    // Its neighbour is lost: it comes to the top.
    state.apply(
      .itemAdded(ItemID(5), text: "y", ItemPlace(section: SectionID(1), after: ItemID(3))))
    #expect(state.order.first(in: 1) == 5)
    // Its section is lost, and the number is taken all the same.
    state.apply(.itemAdded(ItemID(6), text: "z", ItemPlace(section: SectionID(9), after: nil)))
    #expect(state.state(ItemID(6)) == nil && state.nextItem == ItemID(7))
  }
}
