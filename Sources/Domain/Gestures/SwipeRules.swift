/// How a finished swipe is judged, for mails and items alike.
public enum SwipeRules {
  /// What becomes of the row.
  public enum Verdict: Sendable, Equatable {
    case closed
    case revealed
    /// The button with this index acts by itself.
    case triggered(button: Int)
  }

  /// Faster than this, in points per second, is a fling; just this is none.
  public static let flingVelocity = 100.0

  /// Judges a swipe by how far and how fast it went.
  ///
  /// - Parameters:
  ///   - extent: the distance as a multiple of the side's buttons' width.
  ///   - velocity: points per second along the swipe when it was let go.
  public static func judge(_ side: SwipeSide, extent: Double, velocity: Double) -> Verdict {
    guard !side.buttons.isEmpty else { return .closed }
    let effective = side.effectiveExtent(extent)
    // Before any fling: released past the threshold means the button, whatever the velocity.
    if let button = side.expansion.button, side.buttons.indices.contains(button),
      effective > side.expansion.threshold
    {
      return .triggered(button: button)
    }
    let open =
      if velocity > flingVelocity {
        side.keepsOpen
      } else if velocity < -flingVelocity {
        false
      } else {
        side.keepsOpen && effective > side.openThreshold
      }
    return open ? .revealed : .closed
  }
}

extension SwipeSide {
  /// How far the row went for a finger that went `extent`: past the buttons it bounces, more
  /// slowly, or stops.
  public func effectiveExtent(_ extent: Double) -> Double {
    guard bounces else { return min(extent, 1) }
    return extent <= 1 ? extent : 1 + (extent - 1) * bounceRate
  }
}
