import EventSourcing
import FastJSON
import SwipestreamTesting
import Testing

@testable import Domain

/// What holds for every command to a list, in whatever state it is.
struct ListCommandRules {
  @Test(arguments: SeededRandom.seeds(4))
  func onlyCreateMakesAList(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    for _ in 0..<100 {
      var list = Harness<ItemList>()
      let (name, data) = ListPropertyTests.command(items: 5, &random)
      guard refusal(ListCommand.self, name, data.text) == nil else { continue }
      #expect(list.refusal(name, data) == ServiceError(.notFound, "there is no such list"))
    }
    for template in ["todo", "plain"] {
      var list = Harness<ItemList>()
      let data: JSON = ["title": "t", "template": .string(template)]
      try list.send("create", data)
      #expect(list.refusal("create", data) == ServiceError(.rejected, "the list exists already"))
    }
  }

  @Test(arguments: SeededRandom.seeds(4))
  func equalTextsStayDistinctItems(seed: UInt64) throws {
    try RandomList.inManyStates(seed: seed) { world throws in
      let new = world.list.state.nextItem.rawValue
      guard world.list.refusal("add", ["text": "same"]) == nil else { return false }
      try world.list.send("add", ["text": " same "])
      #expect(world.present.contains(new) && world.present.contains(new + 1))
      return true
    }
  }

  @Test(arguments: SeededRandom.seeds(4))
  func newItemsGoToTheEndOfTheFirstSectionThatCanAdd(seed: UInt64) throws {
    try RandomList.inManyStates(seed: seed) { world throws in
      let new = world.list.state.nextItem.rawValue
      let first = world.list.state.sectionOrder.first { world.traits(in: $0).canAdd }
      guard let first else {
        #expect(world.list.refusal("add", ["text": "x"])?.code == .rejected)
        return false
      }
      let before = world.list.state.items(in: first)
      try world.list.send("add", ["text": "x"])
      #expect(world.list.state.items(in: first) == before + [new])
      return true
    }
  }

  @Test(arguments: SeededRandom.seeds(4))
  func textsAreTrimmedAndNeverEmpty(seed: UInt64) throws {
    let spaces = [" ", "\n", "\t", "\u{A0}", "\u{2003}", "\r\n"]
    try RandomList.inManyStates(seed: seed) { world throws in
      func blank() -> String {
        (0..<3).map { _ in spaces.randomElement(using: &world.random) ?? " " }.joined()
      }
      let (above, below) = (blank(), blank())
      guard let item = world.one(of: world.present) else { return false }
      let text = "a \(world.random.next()) z"
      let data = JSON.item(item, [.init("text", .string(above + text + below))])
      #expect(
        try world.list.written("edit", data) == [
          #"item.edited {"item":\#(item),"text":"\#(text)"}"#
        ])
      let empty = JSON.item(item, [.init("text", .string(above))])
      #expect(world.list.refusal("edit", empty)?.code == .invalid)
      #expect(world.list.refusal("add", ["text": .string(below)])?.code == .invalid)
      return true
    }
  }

  static let changes = ["complete", "reopen", "delete", "restore"]

  /// Wherever the items are, and whatever became of the sections that they were in.
  @Test(arguments: SeededRandom.seeds(4))
  func aStateCommandIsAbsolute(seed: UInt64) throws {
    try RandomList.inManyStates(seed: seed) { world throws in
      let name = Self.changes.randomElement(using: &world.random) ?? ""
      let chosen = world.some(of: name == "restore" ? world.known : world.present)
      guard !chosen.isEmpty, world.list.refusal(name, .items(chosen)) == nil else { return false }
      for item in chosen {
        let state = world.list.state.states[item]
        let holds =
          switch name {
          case "complete": state.contains(.completed)
          case "reopen": !state.contains(.completed)
          case "delete": state.contains(.deleted)
          default: !state.contains(.deleted)
          }
        #expect(holds && (world.home(item) != nil) == !state.contains(.deleted), "\(name)")
      }
      return true
    }
  }

  @Test(arguments: SeededRandom.seeds(4))
  func aStateCommandSentTwiceEmitsNothing(seed: UInt64) throws {
    try RandomList.inManyStates(seed: seed) { world throws in
      let name = Self.changes.randomElement(using: &world.random) ?? ""
      let chosen = world.some(of: name == "restore" ? world.known : world.present)
      guard world.list.refusal(name, .items(chosen)) == nil else { return false }
      let before = world.list.state
      #expect(try world.list.written(name, .items(chosen)) == [])
      #expect(world.list.state == before)
      return true
    }
  }

  @Test(arguments: SeededRandom.seeds(4))
  func aBulkEmitsOneEventPerChangedItem(seed: UInt64) throws {
    try RandomList.inManyStates(seed: seed) { world throws in
      let name = Self.changes.randomElement(using: &world.random) ?? ""
      let chosen = world.some(of: name == "restore" ? world.known : world.present, 8)
      let (before, count) = (world.list.facts, world.list.events.count)
      guard let outcome = try? world.list.send(name, .items(chosen)) else { return false }
      let changed = chosen.filter { world.list.facts[$0] != before[$0] }
      let told = world.list.events[count...].compactMap { $0.item?.rawValue }
      #expect(told.sorted() == changed.sorted(), "\(name)")
      #expect(outcome == results("item", chosen) { changed.contains($0) })
      return !changed.isEmpty
    }
  }

  @Test(arguments: SeededRandom.seeds(4))
  func aBulkCollapsesDuplicates(seed: UInt64) throws {
    try RandomList.inManyStates(seed: seed) { world throws in
      let name = Self.changes.randomElement(using: &world.random) ?? ""
      let chosen = world.some(of: world.known)
      var doubled = world.list
      let refused = doubled.refusal(name, .items(chosen + world.shuffled(chosen)))
      #expect(world.list.refusal(name, .items(chosen)) == refused)
      #expect(doubled.state == world.list.state)
      return refused == nil
    }
  }

  @Test(arguments: ["complete", "reopen", "delete", "restore", "purge", "reorder"])
  func anEmptySetIsInvalid(name: String) throws {
    let data: JSON = name == "reorder" ? ["items": [], "first": true] : ["items": []]
    var list = try Harness(.todo, items: 3)
    #expect(list.refusal(name, data) == ServiceError(.invalid, "'items' must not be empty"))
  }

  @Test(arguments: SeededRandom.seeds(4))
  func unknownIDsFailABulkWhole(seed: UInt64) throws {
    try RandomList.inManyStates(seed: seed) { world throws in
      let unknown = world.some(of: world.absent, 3)
      let chosen = world.shuffled(world.some(of: world.known) + unknown)
      for name in Self.changes + ["purge", "reorder"] {
        let place: [JSON.Member] = name == "reorder" ? [.init("first", true)] : []
        let refused = world.list.refusal(name, .items(chosen, place))
        #expect(refused?.code == .notFound, "\(name)")
        #expect(refused?.ids == chosen.filter(unknown.contains))
      }
      return chosen.count > unknown.count
    }
  }

  /// Others are deleted, completed, moved and added between the choice of a row and its command.
  @Test(arguments: SeededRandom.seeds(4))
  func itemsAreTargetedByIDNeverByRow(seed: UInt64) throws {
    try RandomList.inManyStates(seed: seed) { world throws in
      guard let chosen = world.one(of: world.present.filter { !world.isCompleted($0) }) else {
        return false
      }
      var busy = world.list
      for other in world.some(of: world.present.filter { $0 != chosen }) {
        _ = busy.refusal(
          ["delete", "complete"].randomElement(using: &world.random) ?? "", .item(other))
      }
      _ = busy.refusal("add", ["text": "new", "first": true])
      let before = busy.facts
      for (name, data) in [
        ("edit", JSON.item(chosen, [.init("text", "new text")])), ("complete", .item(chosen)),
      ] {
        // What the section forbids it forbids in both.
        #expect(busy.refusal(name, data) == world.list.refusal(name, data))
      }
      #expect(busy.facts[chosen] == world.list.facts[chosen])
      for (other, fact) in before where other != chosen { #expect(busy.facts[other] == fact) }
      return true
    }
  }
}

extension ListEvent {
  /// The item that the event is about.
  var item: ItemID? {
    switch self {
    case .itemAdded(let item, _, _, _), .itemEdited(let item, _), .itemCompleted(let item, _),
      .itemReopened(let item, _), .itemDeleted(let item), .itemRestored(let item, _),
      .itemPurged(let item, _), .itemMoved(let item, _):
      item
    default: nil
    }
  }
}
