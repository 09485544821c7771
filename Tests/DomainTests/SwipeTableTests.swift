import EventSourcing
import Testing

@testable import Domain

/// The swipe rules as a table: what comes of each extent at each velocity.
@Suite("Swipe table")
struct SwipeTableTests {
  static let velocities: [Double] = [-101, -100, -99, 0, 99, 100, 101]

  /// One row of the table: an outcome for each of the velocities, `c` for closed, `r` for revealed
  /// and `t` for triggered.
  struct Row: Sendable, CustomTestStringConvertible {
    let name: String
    let side: SwipeSide
    let extent: Double
    let outcomes: String

    var testDescription: String { "\(name), extent \(extent)" }
  }

  static func rows(
    _ name: String, _ change: (inout SwipeSide) -> Void, _ rows: [(Double, String)]
  ) -> [Row] {
    var side = SwipeSide(buttons: [
      SwipeButton(action: .more, color: "#000000"), SwipeButton(action: .none, color: "#000000"),
    ])
    change(&side)
    return rows.map { Row(name: name, side: side, extent: $0.0, outcomes: $0.1) }
  }

  static let table: [Row] = [
    rows(
      "default settings", { _ in },
      [
        (0, "ccccccr"), (0.499, "ccccccr"), (0.5, "ccccccr"), (0.501, "crrrrrr"), (1, "crrrrrr"),
        (1.001, "crrrrrr"), (1.3, "crrrrrr"), (1.301, "crrrrrr"), (1000, "crrrrrr"),
      ]),
    rows(
      "expansion", { $0.expansion = SwipeExpansion(button: 1) },
      [
        (0, "ccccccr"), (0.5, "ccccccr"), (0.501, "crrrrrr"), (1, "crrrrrr"), (1.299, "crrrrrr"),
        (1.3, "crrrrrr"), (1.301, "ttttttt"), (1000, "ttttttt"),
      ]),
    rows(
      "half the bounce",
      {
        $0.bounceRate = 0.5
        $0.expansion = SwipeExpansion(button: 0, threshold: 1.25)
      },
      [
        (0.5, "ccccccr"), (0.501, "crrrrrr"), (1, "crrrrrr"), (1.251, "crrrrrr"),
        (1.499, "crrrrrr"), (1.5, "crrrrrr"), (1.501, "ttttttt"), (1000, "ttttttt"),
      ]),
    rows(
      "twice the bounce",
      {
        $0.bounceRate = 2
        $0.expansion = SwipeExpansion(button: 0, threshold: 1.5)
      },
      [
        (1, "crrrrrr"), (1.249, "crrrrrr"), (1.25, "crrrrrr"), (1.251, "ttttttt"),
        (1000, "ttttttt"),
      ]),
    rows(
      "no bounce rate",
      {
        $0.bounceRate = 0
        $0.expansion = SwipeExpansion(button: 0, threshold: 1)
      },
      [(0.5, "ccccccr"), (1, "crrrrrr"), (1.001, "crrrrrr"), (1000, "crrrrrr")]),
    rows(
      "bounces off, expansion beyond 1",
      {
        $0.bounces = false
        $0.expansion = SwipeExpansion(button: 0)
      },
      [
        (0.5, "ccccccr"), (0.501, "crrrrrr"), (1, "crrrrrr"), (1.3, "crrrrrr"),
        (1.301, "crrrrrr"), (1000, "crrrrrr"),
      ]),
    rows(
      "bounces off, expansion at 1",
      {
        $0.bounces = false
        $0.expansion = SwipeExpansion(button: 0, threshold: 1)
      },
      [(0.999, "crrrrrr"), (1, "crrrrrr"), (1.001, "crrrrrr")]),
    rows(
      "bounces off, expansion below 1",
      {
        $0.bounces = false
        // A rate means nothing where nothing bounces.
        $0.bounceRate = 0
        $0.expansion = SwipeExpansion(button: 0, threshold: 0.75)
      },
      [
        (0.5, "ccccccr"), (0.749, "crrrrrr"), (0.75, "crrrrrr"), (0.751, "ttttttt"),
        (1, "ttttttt"), (1000, "ttttttt"),
      ]),
    rows(
      "keepsOpen off",
      {
        $0.keepsOpen = false
        $0.expansion = SwipeExpansion(button: 1)
      },
      [
        (0, "ccccccc"), (0.5, "ccccccc"), (0.501, "ccccccc"), (1, "ccccccc"), (1.3, "ccccccc"),
        (1.301, "ttttttt"), (1000, "ttttttt"),
      ]),
    rows(
      "index off",
      {
        $0.expansion = SwipeExpansion(button: nil, threshold: 0.1)
      },
      [(0.1, "ccccccr"), (0.101, "ccccccr"), (0.501, "crrrrrr"), (1000, "crrrrrr")]),
    rows(
      "no buttons",
      {
        $0.buttons = []
        $0.openThreshold = 0
      },
      [(0, "ccccccc"), (0.501, "ccccccc"), (1.301, "ccccccc"), (1000, "ccccccc")]),
    rows(
      "openThreshold 0", { $0.openThreshold = 0 }, [(0, "ccccccr"), (0.001, "crrrrrr")]),
    rows(
      "openThreshold 1.5, bounces on", { $0.openThreshold = 1.5 },
      [(1, "ccccccr"), (1.5, "ccccccr"), (1.501, "crrrrrr")]),
    rows(
      "openThreshold 1, bounces off",
      {
        $0.openThreshold = 1
        $0.bounces = false
      },
      [(0.999, "ccccccr"), (1, "ccccccr"), (1000, "ccccccr")]),
    rows(
      "expansion before the buttons stay open",
      { $0.expansion = SwipeExpansion(button: 0, threshold: 0.25) },
      [(0.249, "ccccccr"), (0.25, "ccccccr"), (0.251, "ttttttt"), (0.501, "ttttttt")]),
  ].flatMap(\.self)

  @Test("judges", arguments: table)
  func judges(_ row: Row) throws {
    #expect(row.outcomes.count == Self.velocities.count)
    for (velocity, outcome) in zip(Self.velocities, row.outcomes) {
      let verdict = SwipeRules.judge(row.side, extent: row.extent, velocity: velocity)
      let expected: SwipeRules.Verdict =
        switch outcome {
        case "c": .closed
        case "r": .revealed
        default: .triggered(button: try #require(row.side.expansion.button))
        }
      #expect(verdict == expected, "velocity \(velocity)")
    }
  }

  /// The same from a configuration that was sent, on a mail and on an item.
  @Test("is what a command answers", arguments: table)
  func answers(_ row: Row) throws {
    let context = DecisionContext(time: Timestamp(microseconds: 0), command: CommandID("c")!)
    let sides = SwipeChange.sides(SwipeConfiguration(leftToRight: row.side))
    var mailbox = try Harness<Mailbox>(mails: 1).state
    for event in try mailbox.decide(.configureSwipe(nil, sides), in: context).events {
      mailbox.apply(event)
    }
    var list = try Harness(.plain, items: 1).state
    let scope = SwipeScope.section(SectionID(1))
    for event in try list.decide(.configureSwipe(scope, sides), in: context).events {
      list.apply(event)
    }
    for (velocity, outcome) in zip(Self.velocities, row.outcomes) {
      let gesture = SwipeGesture(.leftToRight, extent: row.extent, velocity: velocity)
      let mail = try mailbox.decide(.swipe(MailID(1), gesture), in: context)
      let item = try list.decide(.swipe(ItemID(1), gesture), in: context)
      #expect(mail.events.isEmpty && item.events.isEmpty)
      guard case .gesture(let ofMail) = mail.outcome, case .gesture(let ofItem) = item.outcome
      else {
        Issue.record("no outcome of a gesture")
        return
      }
      #expect(letter(ofMail) == outcome && letter(ofItem) == outcome, "velocity \(velocity)")
    }
  }

  private func letter(_ outcome: GestureOutcome) -> Character {
    switch outcome {
    case .closed: "c"
    case .revealed: "r"
    // What the first button, more, is triggered to.
    case .triggered, .sheet: "t"
    }
  }
}
