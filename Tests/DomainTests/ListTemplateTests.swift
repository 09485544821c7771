import EventSourcing
import FastJSON
import SwipestreamTesting
import Testing

@testable import Domain

struct ListTemplateTests {
  static func create(_ source: ItemList, in list: ItemList = ItemList()) throws -> ItemList {
    let command = try ListCommand("create", #"{"title":"Trip","template":"list/packing"}"#)
    let id = try #require(CommandID("c"))
    var list = list
    #expect(command.source?.description == "list/packing")
    list.apply(
      try list.decide(
        command, on: source,
        in: DecisionContext(time: Timestamp(microseconds: 0), command: id)), of: id)
    return list
  }

  @Test func aListBeginsWithAnothersSectionsAndItems() throws {
    var source = try Harness(.todo, items: 4)
    try source.send("configure-swipe", ["section": 1, "left-to-right": ["bounces": false]])
    try source.send("configure-swipe", ["item": 4, "preset": "off"])
    try source.send("edit", ["item": 4, "movable": false])
    try source.send("complete", ["items": [3, 1]])
    try source.send("delete", ["item": 2])
    let list = try Self.create(source.state)
    #expect(list.title == "Trip")
    #expect(list.sections == source.state.sections)
    // All are open, in the order in which they would be reopened, and numbered anew.
    try source.send("reopen", ["items": [3, 1]])
    let texts = source.rows[1]!.map { source.state.texts[ItemID($0)] }
    #expect((1...3).map { list.texts[ItemID($0)] } == texts)
    #expect(list.states.dropFirst() == [[], [], []])
    // What item 4 has of its own comes along.
    let fixed = try #require(source.rows[1]!.firstIndex(of: 4)) + 1
    #expect(list.settings[UInt32(fixed)]?.movable == false)
    #expect(list.overrides[UInt32(fixed)] == source.state.overrides[4])
  }

  @Test func neitherAListThatIsThereNorOneThatIsNot() throws {
    let source = try Harness(.plain, items: 1).state
    do {
      _ = try Self.create(source, in: source)
      Issue.record("made a list twice")
    } catch let error as ServiceError {
      #expect(error.code == .rejected)
    }
    do {
      _ = try Self.create(ItemList())
      Issue.record("made a list of none")
    } catch let error as ServiceError {
      #expect(error.code == .notFound && error.message.contains("list/packing"))
    }
  }

  @Test(arguments: SeededRandom.seeds(10))
  func whatCameOfAnyListIsAListOfItsItems(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    var source = try Harness(.todo, items: 5)
    for _ in 0..<100 {
      let (name, data) = SnapshotTests.listCommand(
        items: source.state.states.count - 1, &random)
      _ = try? source.send(name, data)
    }
    let list = try Self.create(source.state)
    let kept = source.state.states.filter { $0 == [] || $0 == .completed }
    #expect(list.states.count - 1 == kept.count)
    #expect(try ItemList(snapshotBytes: list.snapshotBytes) == list)
  }
}
