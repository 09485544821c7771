import EventSourcing
import FastJSON
import SwipestreamTesting
import Testing

@testable import Domain

@Suite("Drags among random commands")
struct DragPropertyTests {
  /// A drop leads to what its last outcome told, and nothing else of a drag leaves a trace.
  @Test(
    "land where they were told to, and leave no trace but their events",
    arguments: SeededRandom.seeds(40))
  func random(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    var list = Harness<ItemList>()
    try list.send("create", ["title": "t", "template": .string("todo")])
    let second = SectionContent(
      header: nil, footer: nil, traits: SectionTraits(), swipe: SwipeSettings(),
      completedRole: false)
    list.take([.sectionAdded(SectionID(3), second, after: SectionID(1))])
    var drops = 0
    for step in 0..<400 {
      let (name, data) =
        random.chance(oneIn: 3)
        ? ListPropertyTests.command(items: list.state.states.count, &random)
        : Self.drag(items: list.state.states.count, &random)
      let before = (events: list.events.count, sections: list.sections)
      list.now += Int.random(in: 0...400, using: &random)
      do {
        let outcome = try JSON(parsing: try list.send(name, data))
        let events = list.events[before.events...]
        switch name {
        case "drag-begin", "drag-over", "drag-cancel": #expect(events.isEmpty, "seed \(seed)")
        case "drop":
          #expect(events.count == (outcome["moved"]?.bool == true ? 1 : 0), "seed \(seed)")
          #expect(
            list.sections == Self.moved(before.sections, list.state.sectionOrder, outcome),
            "seed \(seed), step \(step)")
          drops += events.count
        default: break
        }
      } catch let error as ServiceError {
        #expect(list.events.count == before.events && list.sections == before.sections)
        #expect(error.code != .unavailable)
      }
      try Self.checkHeld(list, seed)
    }
    #expect(drops > 0, "seed \(seed)")
    #expect(list.replayed == list.state, "seed \(seed)")
    #expect(try ItemList(snapshotBytes: list.state.snapshotBytes) == list.state)
  }

  /// Every open session is of an item that is there, held at a place that is one.
  private static func checkHeld(_ list: Harness<ItemList>, _ seed: UInt64) throws {
    guard let sessions = list.live as? DragSessions else { return }
    #expect(sessions.open.count <= DragSessions.limit)
    for session in sessions.open {
      let state = list.state.state(session.item)
      #expect(state != nil && state?.contains(.deleted) == false, "seed \(seed)")
      guard let place = session.hover?.place else { continue }
      #expect(list.state.section(place.section) != nil, "seed \(seed)")
      if let after = place.after {
        #expect(after != session.item, "seed \(seed)")
        #expect(list.state.home(after) == place.section, "seed \(seed)")
      }
    }
  }

  /// The sections' items with the dropped one where the outcome says.
  private static func moved(
    _ sections: [[Int]], _ order: [SectionID], _ outcome: JSON
  ) -> [[Int]]? {
    guard let item = outcome["item"]?.integer, let section = outcome["section"]?.integer,
      let index = order.firstIndex(of: SectionID(section))
    else { return nil }
    var sections = sections.map { $0.filter { $0 != item } }
    let after = outcome["after"]?.integer
    let place = after.map { sections[index].firstIndex(of: $0).map { $0 + 1 } ?? -1 } ?? 0
    guard place >= 0 else { return nil }
    sections[index].insert(item, at: place)
    return sections
  }

  private static func drag(
    items count: Int, _ random: inout SeededRandom
  ) -> (String, JSON) {
    func item() -> JSON { .integer(.random(in: 1...max(count, 2), using: &random)) }
    let session = JSON.Member("session", .string("d\(Int.random(in: 1...4, using: &random))"))
    func place() -> [JSON.Member] {
      let key = ["after", "before", "first", "last"].randomElement(using: &random) ?? "first"
      let anchor = JSON.Member(key, key == "after" || key == "before" ? item() : true)
      guard random.chance(oneIn: 2) else { return [anchor] }
      return [anchor, .init("section", .integer(.random(in: 1...3, using: &random)))]
    }
    switch Int.random(in: 0..<10, using: &random) {
    case 0..<3: return ("drag-begin", .object([session, .init("item", item())]))
    case 3..<6: return ("drag-over", .object([session] + place()))
    case 6, 7: return ("drop", .object([session]))
    case 8: return ("drop", .object([session] + place()))
    default: return ("drag-cancel", .object([session]))
    }
  }
}
