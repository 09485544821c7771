internal import Synchronization

/// How long the projector lets events gather while nobody waits for them.
///
/// A transaction costs the same for one event as for a hundred, and takes time from the commands that
/// make the events. So the views are a moment behind: the ten milliseconds that nobody sees, or, when
/// turns take long because there is much to do, eight times what a turn takes, up to a tenth of a
/// second.
final class ProjectorPace: Sendable {
  static let milliseconds = 10...100
  private static let idleFactor = 8

  private let isWaiting = Atomic<Bool>(false)
  private let wait = Atomic<Int>(milliseconds.lowerBound)

  /// How long to wait from now, nil where somebody waits already.
  func beginWait() -> Int? {
    guard !isWaiting.exchange(true, ordering: .acquiringAndReleasing) else { return nil }
    return wait.load(ordering: .relaxed)
  }

  /// Called before the head is looked at, so that no event that comes later is left lying.
  func endWait() { isWaiting.store(false, ordering: .sequentiallyConsistent) }

  func note(turnNanoseconds: UInt64) {
    let milliseconds = Int(turnNanoseconds / 1_000_000) * Self.idleFactor
    wait.store(
      min(max(milliseconds, Self.milliseconds.lowerBound), Self.milliseconds.upperBound),
      ordering: .relaxed)
  }
}
