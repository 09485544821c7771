import Domain
import Testing

struct SwipeRulesTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let side: SwipeSide
    let extent: Double
    let velocity: Double
    let verdict: SwipeRules.Verdict

    init(
      _ name: String, _ side: SwipeSide, _ extent: Double, _ velocity: Double,
      _ verdict: SwipeRules.Verdict
    ) {
      testDescription = name
      self.side = side
      self.extent = extent
      self.velocity = velocity
      self.verdict = verdict
    }
  }

  static func side(_ change: (inout SwipeSide) -> Void = { _ in }) -> SwipeSide {
    var side = SwipeSide(buttons: [
      SwipeButton(action: .trash, color: "#000000"), SwipeButton(action: .flag, color: "#000000"),
    ])
    change(&side)
    return side
  }

  static let plain = side()
  static let expanding = side { $0.expansion = SwipeExpansion(button: 1, threshold: 1.3) }
  static let neverOpen = side { $0.keepsOpen = false }
  static let rigid = side {
    $0.bounces = false
    $0.expansion = SwipeExpansion(button: 0, threshold: 1)
  }
  static let rigidLow = side {
    $0.bounces = false
    $0.expansion = SwipeExpansion(button: 0, threshold: 0.9)
  }
  static let slow = side {
    $0.bounceRate = 0.5
    $0.expansion = SwipeExpansion(button: 0, threshold: 1.5)
  }

  static let cases = [
    Case("no buttons", SwipeSide(expansion: SwipeExpansion(button: 0)), 1000, 1000, .closed),
    Case("nothing", plain, 0, 0, .closed),
    Case("at the threshold", plain, 0.5, 0, .closed),
    Case("just past the threshold", plain, 0.5.nextUp, 0, .revealed),
    Case("expansion off", plain, 1000, 0, .revealed),
    Case("at the fling velocity", plain, 0.1, 100, .closed),
    Case("just past the fling velocity", plain, 0.1, 100.0.nextUp, .revealed),
    Case("at the fling velocity back", plain, 0.9, -100, .revealed),
    Case("just past the fling velocity back", plain, 0.9, (-100.0).nextDown, .closed),
    Case("fling from nothing", plain, 0, 101, .revealed),
    Case("never open", neverOpen, 1, 0, .closed),
    Case("never open, fling", neverOpen, 1, 500, .closed),
    Case("at the expansion threshold", expanding, 1.3, 0, .revealed),
    Case("just past the expansion threshold", expanding, 1.3.nextUp, 0, .triggered(button: 1)),
    Case("expansion beats a fling back", expanding, 1.4, -5000, .triggered(button: 1)),
    Case("at the expansion threshold, fling back", expanding, 1.3, -101, .closed),
    Case("no bounce: never beyond 1", rigid, 1000, 0, .revealed),
    Case("no bounce: a threshold below 1", rigidLow, 5, 0, .triggered(button: 0)),
    Case("half the bounce, at the threshold", slow, 2, 0, .revealed),
    Case("half the bounce, past it", slow, 2.01, 0, .triggered(button: 0)),
  ]

  @Test(arguments: cases)
  func judges(_ testCase: Case) {
    let verdict = SwipeRules.judge(
      testCase.side, extent: testCase.extent, velocity: testCase.velocity)
    #expect(verdict == testCase.verdict)
  }

  @Test func triggersWithoutKeepingOpen() {
    var side = Self.neverOpen
    side.expansion = SwipeExpansion(button: 0, threshold: 1.1)
    #expect(SwipeRules.judge(side, extent: 1.2, velocity: 0) == .triggered(button: 0))
  }

  @Test func ignoresAnExpansionThatNoButtonHas() {
    var side = Self.plain
    side.expansion = SwipeExpansion(button: 2)
    #expect(SwipeRules.judge(side, extent: 5, velocity: 0) == .revealed)
  }

  @Test func titlesFollowState() {
    let settings = SwipeSettings.mailboxDefault
    #expect(settings.leftToRight.titles(read: false, flag: false) == ["Mark as read"])
    #expect(settings.leftToRight.titles(read: true, flag: false) == ["Mark as unread"])
    #expect(settings.rightToLeft.titles(read: false, flag: false) == ["Trash", "Flag", "More"])
    #expect(settings.rightToLeft.titles(read: false, flag: true) == ["Trash", "Unflag", "More"])
    #expect(
      SwipeSettings.todoOpen.rightToLeft.titles(completed: false) == ["Delete", "Complete"])
    #expect(
      SwipeSettings.todoCompleted.rightToLeft.titles(completed: true) == ["Delete", "Reopen"])
  }

  @Test func ownTitlesFollowState() {
    let titles = SwipeButton.Titles(on: "on", off: "off")
    func button(_ action: SwipeAction) -> SwipeButton {
      SwipeButton(action: action, color: "#000000", titles: titles)
    }
    #expect(button(.toggleRead).title(read: true, flag: false) == "on")
    #expect(button(.toggleRead).title(read: false, flag: true) == "off")
    #expect(button(.flag).title(read: false, flag: true) == "on")
    #expect(button(.trash).title(read: true, flag: true) == "off")
    #expect(button(.complete).title(completed: true) == "on")
    #expect(button(.reopen).title(completed: false) == "off")
  }
}
