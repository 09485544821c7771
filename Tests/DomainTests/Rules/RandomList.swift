import EventSourcing
import FastJSON
import SwipestreamTesting
import Testing

@testable import Domain

/// A list of random sections that random commands have brought somewhere, and random choices in it.
struct RandomList {
  var random: SeededRandom
  var list: Harness<ItemList>

  /// - Parameter completes: whether the list has a section for completed items.
  init(seed: UInt64, completes: Bool) throws {
    random = SeededRandom(seed: seed)
    list = try Harness(completes ? .todo : .plain, items: 4)
    for _ in 0..<Int.random(in: 1...3, using: &random) {
      let last = list.state.sectionOrder.last
      let section = SectionID((list.state.sections.count) + 1)
      list.take([.sectionAdded(section, Self.content(&random), after: last)])
      for _ in 0..<4 {
        _ = list.refusal("add", ["text": "x", "section": .integer(section.rawValue)])
      }
    }
  }

  private static func content(_ random: inout SeededRandom) -> SectionContent {
    func usually() -> Bool { !random.chance(oneIn: 5) }
    return SectionContent(
      header: nil, footer: nil,
      traits: SectionTraits(
        canAdd: usually(), canComplete: usually(), canDelete: usually(), canReorder: usually(),
        acceptsMoves: usually()),
      swipe: SwipeSettings(), completedRole: false)
  }

  /// Checks a rule in many states; `check` tells whether a state gave it anything to check.
  static func inManyStates(
    seed: UInt64, completes: Bool? = nil, _ check: (inout RandomList) throws -> Bool
  ) throws {
    var checked = 0
    for part in 0..<4 {
      let seed = seed &* 4 &+ UInt64(part)
      var world = try RandomList(seed: seed, completes: completes ?? (part % 2 == 0))
      for _ in 0..<10 {
        for _ in 0..<3 { world.step() }
        if try check(&world) { checked += 1 }
      }
    }
    #expect(checked > 0, "no state gave anything to check")
  }

  /// A random command, which may change nothing or be refused.
  mutating func step() {
    let section = JSON.integer(.random(in: 1...list.state.sections.count, using: &random))
    switch Int.random(in: 0..<12, using: &random) {
    case 5:
      let (name, data) = sectionCommand(section)
      _ = list.refusal(name, data)
    case 6:
      guard let item = one(of: present) else { return }
      let movable = JSON.bool(!random.chance(oneIn: 3))
      _ = list.refusal("edit", .item(item, [.init("movable", movable)]))
    case 0, 1:
      _ = list.refusal("add", ["text": "x", "section": section])
    case 2:
      let number = list.commandCount - Int.random(in: 0..<12, using: &random)
      _ = list.refusal("undo", ["command": .string("c\(max(number, 1))")])
    case 3:
      let name = ["complete", "reopen", "restore"].randomElement(using: &random) ?? ""
      let first = Int.random(in: 1..<list.state.nextItem.rawValue + 1, using: &random)
      let all = random.chance(oneIn: 2) ? ["all": true, "in": section] as JSON : nil
      _ = list.refusal(name, all ?? ["items": .string("\(first)-\(first + 2)")])
    case 4:
      let side = RandomSwipes.json(RandomSwipes.side(RandomSwipes.itemActions, &random))
      let own: [JSON.Member] = [
        .init("right-to-left", side), .init("preset", "todo"), .init("clear", true),
      ]
      guard let item = one(of: present), let own = own.randomElement(using: &random) else { return }
      _ = list.refusal("configure-swipe", .item(item, [own]))
    default:
      let (name, data) = ListPropertyTests.command(
        items: list.state.nextItem.rawValue - 1, &random)
      _ = list.refusal(name, data)
    }
  }

  /// Something about sections; the one for completed items keeps its traits, so that it stays one.
  private mutating func sectionCommand(_ section: JSON) -> (String, JSON) {
    switch Int.random(in: 0..<6, using: &random) {
    case 0: return ("add-section", ["header": "new", "after": section])
    case 1: return ("move-section", ["section": section, "first": true])
    case 2: return ("remove-section", ["section": section, "items": "move", "to": 1])
    case 3: return ("remove-section", ["section": section, "items": "delete"])
    case 4: return ("replace", ["section": section, "texts": ["item 2", "x", "item 1", "x", "y"]])
    default:
      let trait = ["canAdd", "canReorder", "acceptsMoves"].randomElement(using: &random) ?? ""
      let isCompleted = list.state.completedSection?.rawValue == section.integer
      let traits: JSON = isCompleted ? [:] : [trait: .bool(!random.chance(oneIn: 3))]
      return ("configure-section", ["section": section, "traits": traits])
    }
  }

  // MARK: Which items there are

  /// In sight, section by section.
  var present: [Int] { list.sections.flatMap { $0 } }
  var deleted: [Int] { known.filter { list.state.state(ItemID($0))?.contains(.deleted) == true } }
  /// Not deleted, or deleted and not purged.
  var known: [Int] {
    (1..<list.state.nextItem.rawValue).filter { list.state.state(ItemID($0)) != nil }
  }
  /// Ids of purged items, and such as are still to come.
  var absent: [Int] {
    (1..<list.state.nextItem.rawValue + 3).filter { list.state.state(ItemID($0)) == nil }
  }

  /// How the row of an item in sight is swiped on one side.
  func side(_ direction: SwipeDirection, of item: Int) -> SwipeSide {
    let usual = home(item).flatMap { list.state.section($0)?.swipe } ?? SwipeSettings()
    return list.state.overrides.settings(of: UInt32(item), usual: usual)[direction]
  }

  func isCompleted(_ item: Int) -> Bool { list.state.states[item].contains(.completed) }
  func home(_ item: Int) -> SectionID? { list.state.home(ItemID(item)) }
  func traits(_ item: Int) -> SectionTraits { list.state.traits(of: ItemID(item)) }
  func traits(in section: SectionID) -> SectionTraits {
    list.state.section(section)?.traits ?? SectionTraits()
  }

  /// Those in sight that may be moved: not fixed, and not in the completed section.
  var movable: [Int] {
    present.filter {
      traits($0).canReorder && home($0) != list.state.completedSection
        && list.state.settings[UInt32($0)]?.movable != false
    }
  }

  // MARK: Choices

  mutating func some(of ids: [Int], _ most: Int = 5) -> [Int] {
    Array(ids.shuffled(using: &random).prefix(.random(in: 1...most, using: &random)))
  }

  mutating func one(of ids: [Int]) -> Int? { ids.randomElement(using: &random) }

  mutating func shuffled(_ ids: [Int]) -> [Int] { ids.shuffled(using: &random) }

  /// A place for items that may be moved there, which an item that is not among them may tell.
  mutating func place(for moved: [Int], into section: SectionID? = nil) -> ListPlace? {
    let open = list.state.sectionOrder.filter { target in
      target != list.state.completedSection
        && (traits(in: target).acceptsMoves || moved.allSatisfy { home($0) == target })
        && (section == nil || section == target)
    }
    guard let target = open.randomElement(using: &random) else { return nil }
    let anchors = list.state.items(in: target).filter { !moved.contains($0) && !isCompleted($0) }
    guard let anchor = one(of: anchors), !random.chance(oneIn: 3) else {
      return ListPlace(section: target, key: random.chance(oneIn: 2) ? "first" : "last")
    }
    return ListPlace(
      section: target, key: random.chance(oneIn: 2) ? "after" : "before", anchor: anchor)
  }
}

/// Where a reordering puts items.
struct ListPlace {
  let section: SectionID
  let key: String
  var anchor = 0

  var members: [JSON.Member] {
    [
      .init("section", .integer(section.rawValue)),
      .init(key, anchor == 0 ? true : .integer(anchor)),
    ]
  }
}

extension JSON {
  /// A command's data about several items.
  static func items(_ items: [Int], _ more: [Member] = []) -> JSON {
    .object([.init("items", ids(items))] + more)
  }

  static func item(_ item: Int, _ more: [Member] = []) -> JSON {
    .object([.init("item", .integer(item))] + more)
  }
}

extension Harness<ItemList> {
  /// What is known of each item, in sight or not, but its place.
  var facts: [Int: ItemList.State] {
    Dictionary(
      uniqueKeysWithValues: state.states.indices.dropFirst().map { ($0, state.states[$0]) })
  }
}
