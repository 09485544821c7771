import SwipestreamTesting
import Testing

@testable import Domain

/// How a swipe is judged, whatever the side's settings.
struct SwipeJudgementRules {
  /// Judges random swipes on random sides; `check` tells whether one was in its province.
  private func judging(
    seed: UInt64, _ check: (SwipeSide, _ extent: Double, _ velocity: Double) -> Bool
  ) {
    var random = SeededRandom(seed: seed)
    var checked = 0
    for _ in 0..<500 {
      let side = RandomSwipes.side(RandomSwipes.mailActions, &random)
      let extent = RandomSwipes.extent(side, &random)
      if check(side, extent, RandomSwipes.velocity(&random)) { checked += 1 }
    }
    #expect(checked > 0, "no swipe was one to check")
  }

  @Test(arguments: SeededRandom.seeds(4))
  func aSwipeIsJudgedByTheRulesInTheirOrder(seed: UInt64) {
    judging(seed: seed) { side, extent, velocity in
      #expect(
        SwipeRules.judge(side, extent: extent, velocity: velocity)
          == RandomSwipes.verdict(side, extent, velocity), "\(side) \(extent) \(velocity)")
      return true
    }
  }

  @Test(arguments: SeededRandom.seeds(4))
  func aSideWithoutButtonsStaysClosed(seed: UInt64) {
    judging(seed: seed) { side, extent, velocity in
      guard side.buttons.isEmpty else { return false }
      #expect(SwipeRules.judge(side, extent: extent, velocity: velocity) == .closed)
      return true
    }
  }

  @Test(arguments: SeededRandom.seeds(4))
  func pastTheExpansionThresholdTheButtonActsWhateverTheVelocity(seed: UInt64) {
    judging(seed: seed) { side, _, velocity in
      guard let button = side.expansion.button, side.bounces, side.bounceRate == 1 else {
        return false
      }
      let threshold = side.expansion.threshold
      func verdict(_ extent: Double) -> SwipeRules.Verdict {
        SwipeRules.judge(side, extent: extent, velocity: velocity)
      }
      #expect(verdict(threshold + 1e-6) == .triggered(button: button))
      #expect(verdict(threshold) != .triggered(button: button))
      return true
    }
  }

  @Test(arguments: SeededRandom.seeds(4))
  func aRowThatDoesNotBounceNeverGoesBeyondItsButtons(seed: UInt64) {
    judging(seed: seed) { side, extent, velocity in
      guard !side.bounces, extent > 1 else { return false }
      #expect(
        SwipeRules.judge(side, extent: extent, velocity: velocity)
          == SwipeRules.judge(side, extent: 1, velocity: velocity))
      return true
    }
  }

  @Test(arguments: SeededRandom.seeds(4))
  func aRowThatDoesNotKeepOpenIsNeverRevealed(seed: UInt64) {
    judging(seed: seed) { side, extent, velocity in
      guard !side.keepsOpen else { return false }
      #expect(SwipeRules.judge(side, extent: extent, velocity: velocity) != .revealed)
      return true
    }
  }

  /// Without a fling the open threshold decides, strictly; a velocity of just 100 is none.
  @Test(arguments: SeededRandom.seeds(4))
  func aFlingDecidesAndJustAHundredIsNone(seed: UInt64) {
    judging(seed: seed) { side, _, _ in
      guard !side.buttons.isEmpty, side.expansion.button == nil else { return false }
      func verdict(_ extent: Double, _ velocity: Double) -> SwipeRules.Verdict {
        SwipeRules.judge(side, extent: extent, velocity: velocity)
      }
      let open: SwipeRules.Verdict = side.keepsOpen ? .revealed : .closed
      #expect(verdict(0, 100.0.nextUp) == open && verdict(1, (-100.0).nextDown) == .closed)
      for velocity in [-100.0, 0, 100] {
        #expect(verdict(min(side.openThreshold, 1), velocity) == .closed)
        if side.openThreshold < 1 {
          #expect(verdict(side.openThreshold.nextUp, velocity) == open)
        }
      }
      return true
    }
  }

  @Test func theExpansionIsOffAndItsThreshold1Point3UnlessItSaysOtherwise() throws {
    let command = try MailboxCommand("configure-swipe", #"{"left-to-right":{}}"#)
    guard case .configureSwipe(nil, .sides(let configuration)) = command else {
      Issue.record("no configuration")
      return
    }
    #expect(configuration.leftToRight?.expansion.button == nil)
    #expect(configuration.leftToRight?.expansion.threshold == 1.3)
    #expect(configuration.leftToRight == SwipeSide())
  }
}
