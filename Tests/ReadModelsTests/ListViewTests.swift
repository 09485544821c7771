import Domain
import EventSourcing
import FastJSON
import SwipestreamTesting
import Testing

@testable import ReadModels

@Suite("The view of a list")
struct ListViewTests {
  private let content = SectionContent(
    header: "To do", footer: nil, traits: SectionTraits(canAdd: false), swipe: .todoOpen,
    completedRole: false)

  private func place(_ section: Int, _ after: Int?) -> ItemPlace {
    ItemPlace(section: SectionID(section), after: after.map { ItemID($0) })
  }

  @Test("is exactly as the contract shows it")
  func exact() async throws {
    let store = InMemoryEventStore()
    store.add(
      [
        ListEvent.created(title: "Things", template: .plain),
        .sectionAdded(SectionID(1), content, after: nil),
        .itemAdded(ItemID(1), text: "milk \"fresh\"", place(1, nil)),
      ], to: todo)
    try await withViews(of: store, in: TemporaryDirectory()) { views in
      let text = String(decoding: try await views.bytes(todo), as: UTF8.self)
      var swipe = JSONWriter()
      SwipeSettings.todoOpen.write(to: &swipe)
      #expect(
        text == """
          {"stream":"list/todo","revision":3,"position":3,"title":"Things","sections":[\
          {"section":1,"header":"To do","footer":null,"traits":{"canAdd":false,\
          "canComplete":true,"canDelete":true,"canReorder":true,"acceptsMoves":true},\
          "swipe":\(String(decoding: swipe.bytes, as: UTF8.self)),\
          "items":[{"item":1,"text":"milk \\"fresh\\"","completed":false}]}],\
          "counts":{"open":1,"completed":0},"cursor":null}
          """)
    }
  }

  @Test("moves across sections, into and out of an empty one, with exact counts")
  func moves() async throws {
    let store = InMemoryEventStore()
    store.add(
      [
        ListEvent.created(title: "t", template: .plain),
        .sectionAdded(SectionID(1), content, after: nil),
        .sectionAdded(SectionID(2), content, after: SectionID(1)),
        .itemAdded(ItemID(1), text: "a", place(1, nil)),
        .itemAdded(ItemID(2), text: "b", place(1, 1)),
        .itemMoved(ItemID(1), place(2, nil)), .itemCompleted(ItemID(2), place(2, 1)),
      ], to: todo)
    try await withViews(of: store, in: TemporaryDirectory()) { views in
      var view = try await views.query(todo)
      #expect(view.placedItems == [[2, 1], [2, 2]])
      #expect(view["sections"]?.integers("section") == [1, 2])
      #expect(view["counts"] == ["open": 1, "completed": 1])
      store.add(
        [
          ListEvent.itemDeleted(ItemID(1)), .itemEdited(ItemID(2), text: "B"),
          .itemReopened(ItemID(2), place(1, nil)),
        ], to: todo)
      view = try await views.query(todo)
      #expect(view.placedItems == [[1, 2]])
      #expect(view["sections"]?[0]?["items"]?[0]?["text"] == "B")
      #expect(view["counts"] == ["open": 1, "completed": 0])
      store.add([ListEvent.itemRestored(ItemID(1), place(1, 2))], to: todo)
      view = try await views.query(todo)
      #expect(view.placedItems == [[1, 2], [1, 1]])
      #expect(view["counts"] == ["open": 2, "completed": 0])
    }
  }
}
