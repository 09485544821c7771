import FastJSON
import SwipestreamTesting

@testable import Domain

/// Sides and swipes near everything that decides.
enum RandomSwipes {
  static let mailActions: [SwipeAction] = [
    .toggleRead, .toggleFlag, .markRead, .markUnread, .flag, .unflag, .trash, .archive, .more,
    .none,
  ]
  static let itemActions: [SwipeAction] = [.complete, .reopen, .delete, .more, .none]

  static func side(_ actions: [SwipeAction], _ random: inout SeededRandom) -> SwipeSide {
    let buttons = (0..<Int.random(in: 0...3, using: &random)).map { index in
      let action = actions.randomElement(using: &random) ?? .none
      return SwipeButton(
        action: action, color: "#00000\(index)", padding: Double(index),
        titles: random.chance(oneIn: 4) ? .init(on: "on \(index)", off: "off \(index)") : nil,
        closes: Bool.random(using: &random))
    }
    let isExpanding = !buttons.isEmpty && random.chance(oneIn: 2)
    return SwipeSide(
      buttons: buttons, transition: .drag, openThreshold: threshold(&random),
      keepsOpen: !random.chance(oneIn: 4), bounces: !random.chance(oneIn: 3),
      bounceRate: [0, 0.5, 1, 2].randomElement(using: &random) ?? 1,
      expansion: SwipeExpansion(
        button: isExpanding ? Int.random(in: buttons.indices, using: &random) : nil,
        threshold: threshold(&random), fills: Bool.random(using: &random)))
  }

  private static func threshold(_ random: inout SeededRandom) -> Double {
    [0, 0.5, 0.9, 1, 1.3, 2].randomElement(using: &random) ?? 1
  }

  /// Often just at, or just beside, a threshold.
  static func extent(_ side: SwipeSide, _ random: inout SeededRandom) -> Double {
    let near = [0, 1, side.openThreshold, side.expansion.threshold].randomElement(using: &random)
    // As far as a finger must go for a row to be there.
    let away = near.map { side.bounceRate > 0 && $0 > 1 ? 1 + ($0 - 1) / side.bounceRate : $0 }
    let extent = away ?? 1
    let all = [
      extent, extent.nextUp, max(extent.nextDown, 0), Double.random(in: 0...3, using: &random),
    ]
    return all.randomElement(using: &random) ?? extent
  }

  static func velocity(_ random: inout SeededRandom) -> Double {
    let all = [0, 100, 100.0.nextUp, -100, (-100.0).nextDown, 5000, -5000]
    return all.randomElement(using: &random) ?? 0
  }

  /// The rules for a swipe, one after another as they are written down.
  static func verdict(
    _ side: SwipeSide, _ extent: Double, _ velocity: Double
  ) -> SwipeRules.Verdict {
    if side.buttons.isEmpty { return .closed }
    var effective = extent
    if extent > 1 { effective = side.bounces ? 1 + (extent - 1) * side.bounceRate : 1 }
    if let button = side.expansion.button, effective > side.expansion.threshold {
      return .triggered(button: button)
    }
    if velocity < -100 { return .closed }
    if velocity > 100 { return side.keepsOpen ? .revealed : .closed }
    return side.keepsOpen && effective > side.openThreshold ? .revealed : .closed
  }

  static func json(_ side: SwipeSide) -> JSON {
    var writer = JSONWriter()
    side.write(to: &writer)
    return (try? JSON(parsing: writer.bytes)) ?? .null
  }

  static func members(
    _ direction: SwipeDirection, _ extent: Double, _ velocity: Double
  ) -> [JSON.Member] {
    [
      .init("direction", .string(direction.rawValue)), .init("extent", .double(extent)),
      .init("velocity", .double(velocity)),
    ]
  }
}

/// What a gesture came to, as its receipt tells.
struct ReadOutcome {
  let result: String
  let button: Int?
  let titles: [String]
  /// A sheet's commands.
  let commands: [String]

  init(_ text: String) throws {
    let outcome = try JSON(parsing: text)
    result = outcome["result"]?.string ?? ""
    button = outcome["button"]?.integer
    titles = (outcome["buttons"]?.array ?? []).compactMap { $0["title"]?.string }
    commands = (outcome["actions"]?.array ?? []).compactMap { $0["command"]?.string }
  }
}
