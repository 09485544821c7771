import EventSourcing
import FastJSON
import SwipestreamTesting

@testable import Domain

/// Random commands about sections, settings and whole lists; many are refused.
enum RandomSections {
  static func command(items count: Int, _ random: inout SeededRandom) -> (String, JSON) {
    let section = JSON.Member("section", number(6, &random))
    let item = JSON.Member("item", number(max(count, 1) + 1, &random))
    switch Int.random(in: 0..<12, using: &random) {
    case 0, 1: return ("add-section", .object(content(&random) + place(&random)))
    case 2: return ("retitle-section", .object([section] + titles(&random)))
    case 3: return ("move-section", .object([section] + place(&random)))
    case 4: return ("remove-section", .object([section] + fate(&random)))
    case 5:
      let configuration = [
        JSON.Member("traits", traits(&random)), JSON.Member("style", style(&random)),
      ]
      return ("configure-section", .object([section] + configuration))
    case 6: return ("retitle", ["title": text(&random)])
    case 7:
      let texts = (0..<Int.random(in: 0...6, using: &random)).map { _ in text(&random) }
      return ("replace", .object([section, .init("texts", .array(texts))]))
    case 8:
      return ("add", .object([.init("text", text(&random)), section] + settings(&random)))
    default: return ("edit", .object([item] + settings(&random)))
    }
  }

  static func number(_ most: Int, _ random: inout SeededRandom) -> JSON {
    .integer(.random(in: 1...most, using: &random))
  }

  static func text(_ random: inout SeededRandom) -> JSON {
    .string(["a", "b", "c é", "d\n"].randomElement(using: &random)!)
  }

  static func place(_ random: inout SeededRandom) -> [JSON.Member] {
    let key = ["after", "before", "first", "last"].randomElement(using: &random)!
    return [.init(key, key == "after" || key == "before" ? number(5, &random) : true)]
  }

  static func titles(_ random: inout SeededRandom) -> [JSON.Member] {
    ["header", "footer"].filter { _ in random.chance(oneIn: 2) }.map {
      .init($0, random.chance(oneIn: 3) ? .null : text(&random))
    }
  }

  static func content(_ random: inout SeededRandom) -> [JSON.Member] {
    titles(&random)
      + (random.chance(oneIn: 2) ? [] : [.init("traits", traits(&random))])
      + (random.chance(oneIn: 2) ? [] : [.init("style", style(&random))])
      + (random.chance(oneIn: 4) ? [.init("completedRole", true)] : [])
      + (random.chance(oneIn: 4) ? [.init("left-to-right", ["bounces": false])] : [])
  }

  static func traits(_ random: inout SeededRandom) -> JSON {
    let names = ["canAdd", "canComplete", "canDelete", "canReorder", "acceptsMoves"]
    return .object(
      names.filter { _ in random.chance(oneIn: 3) }.map {
        .init($0, .bool(!random.chance(oneIn: 3)))
      })
  }

  static func style(_ random: inout SeededRandom) -> JSON {
    if random.chance(oneIn: 8) { return .null }
    let members: [JSON.Member] = [
      .init(
        "alignment",
        .string(["left", "center", "right", "natural"][random.chance(oneIn: 2) ? 0 : 3])),
      .init("weight", random.chance(oneIn: 2) ? "bold" : 350), .init("size", 12.5),
      .init("headerHeight", .null),
    ]
    return .object(members.filter { _ in random.chance(oneIn: 2) })
  }

  static func fate(_ random: inout SeededRandom) -> [JSON.Member] {
    switch Int.random(in: 0..<3, using: &random) {
    case 0: []
    case 1: [.init("items", "delete")]
    default: [.init("items", "move"), .init("to", number(5, &random))]
    }
  }

  static func settings(_ random: inout SeededRandom) -> [JSON.Member] {
    var members: [JSON.Member] = []
    if random.chance(oneIn: 2) { members.append(.init("movable", .bool(!random.chance(oneIn: 3)))) }
    if random.chance(oneIn: 2) {
      members.append(
        .init(
          "repeat", ["daily", "weekly", "monthly", .null][Int.random(in: 0..<4, using: &random)]))
    }
    if random.chance(oneIn: 2) {
      let due = Timestamp(microseconds: .random(in: 0...1 << 51, using: &random))
      members.append(.init("due", random.chance(oneIn: 4) ? .null : .string(due.description)))
    }
    return members
  }
}
