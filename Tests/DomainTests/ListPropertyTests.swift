import EventSourcing
import FastJSON
import SwipestreamTesting
import Testing

@testable import Domain

/// A to-do list as anyone would write it at first: an array per section, moved about by commands
/// (not by the events that the rules under test gave).
struct NaiveList {
  struct Departure {
    let section: Int
    let above: Int?
    let below: Int?
  }

  var sections: [[Int]] = [[], []]
  var completed: Set<Int> = []
  /// Who left, in the order in which they did.
  var completions: [(item: Int, from: Departure)] = []
  var deletions: [(item: Int, from: Departure)] = []
  var count = 0

  private mutating func takeOut(_ item: Int) -> Departure {
    let section = sections.firstIndex { $0.contains(item) }!
    let index = sections[section].firstIndex(of: item)!
    let items = sections[section]
    sections[section].remove(at: index)
    return Departure(
      section: section, above: index > 0 ? items[index - 1] : nil,
      below: index + 1 < items.count ? items[index + 1] : nil)
  }

  private mutating func putBack(_ item: Int, _ old: Departure) {
    let items = sections[old.section]
    let index =
      if let above = old.above, let index = items.firstIndex(of: above) {
        index + 1
      } else if let below = old.below, let index = items.firstIndex(of: below) {
        index
      } else {
        items.count
      }
    sections[old.section].insert(item, at: index)
  }

  /// Carries out a command that was accepted.
  mutating func carryOut(_ name: String, _ data: JSON) {
    let items =
      data["items"]?.array?.compactMap(\.integer) ?? data["item"]?.integer.map { [$0] } ?? []
    var distinct: [Int] = []
    for item in items where !distinct.contains(item) { distinct.append(item) }
    switch name {
    case "add":
      count += 1
      insert([count], data)
    case "reorder":
      let moved = sections.flatMap { $0 }.filter(distinct.contains)
      sections = sections.map { $0.filter { !moved.contains($0) } }
      insert(moved, data)
    case "complete": for item in distinct where !completed.contains(item) { complete(item) }
    case "delete":
      for item in distinct where sections.contains(where: { $0.contains(item) }) {
        deletions.append((item, takeOut(item)))
      }
    case "reopen":
      for (item, old) in completions.reversed() where distinct.contains(item) {
        _ = takeOut(item)
        putBack(item, old)
        completed.remove(item)
      }
      completions.removeAll { distinct.contains($0.item) }
    case "restore":
      for (item, old) in deletions.reversed() where distinct.contains(item) { putBack(item, old) }
      deletions.removeAll { distinct.contains($0.item) }
    case "purge":
      deletions.removeAll { distinct.contains($0.item) }
      completions.removeAll { distinct.contains($0.item) }
      completed.subtract(distinct)
    default: break
    }
  }

  private mutating func complete(_ item: Int) {
    completions.append((item, takeOut(item)))
    completed.insert(item)
    sections[1].append(item)
  }

  /// Nothing but the first section takes items in.
  private mutating func insert(_ items: [Int], _ data: JSON) {
    let index =
      if data["first"] == true {
        0
      } else if let anchor = data["after"]?.integer {
        sections[0].firstIndex(of: anchor)! + 1
      } else if let anchor = data["before"]?.integer {
        sections[0].firstIndex(of: anchor)!
      } else {
        sections[0].count
      }
    sections[0].insert(contentsOf: items, at: index)
  }
}

struct ListPropertyTests {
  @Test(arguments: SeededRandom.seeds(40))
  func anyCommandsDoWhatAPlainArrayDoes(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    var list = Harness<ItemList>()
    try list.send("create", ["title": "t", "template": "todo"])
    var naive = NaiveList()
    var accepted: [String: Int] = [:]
    for _ in 0..<500 {
      let (name, data) = Self.command(items: naive.count, &random)
      do {
        try list.send(name, data)
      } catch is ServiceError {
        continue
      }
      accepted[name, default: 0] += 1
      naive.carryOut(name, data)
      #expect(list.sections == naive.sections, "\(name) \(data.text)")
      Self.checkInvariants(list, naive)
    }
    #expect(list.replayed == list.state)
    #expect(accepted.count == 8, "every kind of command was accepted at least once")
  }

  static func checkInvariants(_ list: Harness<ItemList>, _ naive: NaiveList) {
    let placed = list.sections.flatMap { $0 }
    #expect(Set(placed).count == placed.count)
    for item in 1..<list.state.states.count {
      let state = list.state.state(ItemID(item))
      let isDeleted = naive.deletions.contains { $0.item == item }
      #expect(placed.contains(item) == (state?.contains(.deleted) == false))
      #expect((state?.contains(.deleted) ?? false) == isDeleted)
      #expect((state?.contains(.completed) ?? false) == naive.completed.contains(item))
    }
    #expect(list.state.order.isAscending(in: 1) && list.state.order.isAscending(in: 2))
    #expect(list.state.completions.count == naive.completions.count)
    #expect(list.state.deletions.count == naive.deletions.count)
  }

  static func command(items count: Int, _ random: inout SeededRandom) -> (String, JSON) {
    func item() -> JSON { .integer(.random(in: 1...max(count + 1, 2), using: &random)) }
    func targets() -> [JSON.Member] {
      if random.chance(oneIn: 2) { return [.init("item", item())] }
      return [
        .init("items", .array((0..<Int.random(in: 0...4, using: &random)).map { _ in item() }))
      ]
    }
    func anchor() -> JSON.Member {
      let key = ["after", "before", "first", "last"].randomElement(using: &random)!
      return .init(key, key == "after" || key == "before" ? item() : true)
    }
    switch Int.random(in: 0..<20, using: &random) {
    case 0..<3:
      return ("add", .object([.init("text", "x")] + (random.chance(oneIn: 2) ? [anchor()] : [])))
    case 3:
      return ("edit", ["item": item(), "text": .string(random.chance(oneIn: 2) ? " a" : "b")])
    case 4..<12:
      return (ItemChange.allCases.randomElement(using: &random)!.rawValue, .object(targets()))
    default:
      let section = Int.random(in: 0...8, using: &random)
      let named: [JSON.Member] =
        (1...3).contains(section) ? [.init("section", .integer(section))] : []
      return ("reorder", .object(targets() + named + [anchor()]))
    }
  }

  /// Gestures and configurations: no oracle, but replay and round trips hold.
  @Test(arguments: SeededRandom.seeds(20))
  func anyGesturesAndConfigurationsReplayTheSame(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    var list = try Harness(.todo, items: 12)
    for _ in 0..<200 {
      let direction = SwipeDirection.allCases.randomElement(using: &random)!.rawValue
      let item = JSON.integer(.random(in: 1...13, using: &random))
      let command: (String, JSON) =
        switch Int.random(in: 0..<3, using: &random) {
        case 0:
          (
            "configure-swipe",
            .object([
              .init("section", .integer(.random(in: 1...3, using: &random))),
              .init(direction, MailboxPropertyTests.side(SwipeAction.allCases, &random)),
            ])
          )
        case 1:
          (
            "swipe",
            [
              "item": item, "direction": .string(direction),
              "extent": .double(.random(in: 0...3, using: &random)),
            ]
          )
        default:
          (
            "press",
            [
              "item": item, "direction": .string(direction),
              "button": .integer(.random(in: 0...3, using: &random)),
            ]
          )
        }
      _ = list.refusal(command.0, command.1)
    }
    #expect(list.replayed == list.state)
  }
}
