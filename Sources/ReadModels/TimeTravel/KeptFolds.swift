internal import ActorRuntime
internal import EventSourcing

/// A stream's state as its events up to a position leave it.
struct Fold: Sendable {
  let stream: StreamID
  var state: any FoldedState
  /// The last event that is in it.
  var revision = Revision.none
  /// All events up to here are in it.
  var position = GlobalPosition.start
}

/// The folds of which a page was given and more may be asked for: without them each page would
/// cost a walk over all of the stream's events. Bounded in number, in rows and in time.
final class KeptFolds: Sendable {
  static let limit = 4
  /// Of all folds together.
  static let rowLimit = 1_000_000
  static let idleMilliseconds = 30_000

  private struct Entry {
    let fold: Fold
    let usedAt: Int
  }

  /// The one used last is the last.
  private let entries = Lock<[Entry]>([])

  var isEmpty: Bool { entries.withLock(\.isEmpty) }

  /// Hands over the fold of `stream` that is nearest to `position` and not beyond it.
  func take<State: FoldedState>(
    _: State.Type, of stream: StreamID, upTo position: GlobalPosition
  ) -> Fold? {
    entries.withLock { entries in
      let usable = entries.indices.filter {
        entries[$0].fold.stream == stream && entries[$0].fold.position <= position
          && entries[$0].fold.state is State
      }
      let nearest = usable.max { entries[$0].fold.position < entries[$1].fold.position }
      return nearest.map { entries.remove(at: $0).fold }
    }
  }

  /// Keeps a fold, and lets go of those that were used longest ago where there are too many.
  func keep(_ fold: Fold) {
    // One that is too large by itself would only drive the others out.
    guard fold.state.rowCount <= Self.rowLimit else { return }
    let gone = entries.withLock { entries -> [Entry] in
      entries.append(Entry(fold: fold, usedAt: MonotonicTime.milliseconds))
      var rows = entries.reduce(0) { $0 + $1.fold.state.rowCount }
      var count = 0
      while count < entries.count, entries.count - count > Self.limit || rows > Self.rowLimit {
        rows -= entries[count].fold.state.rowCount
        count += 1
      }
      defer { entries.removeFirst(count) }
      return Array(entries[..<count])
    }
    // What they hold is freed outside of the lock.
    withExtendedLifetime(gone) {}
  }

  /// Lets go of what was not used for a while, or of all.
  func drop(idleFor milliseconds: Int = 0) {
    let now = MonotonicTime.milliseconds
    let gone = entries.withLock { entries in
      defer { entries.removeAll { now - $0.usedAt >= milliseconds } }
      return entries
    }
    withExtendedLifetime(gone) {}
  }
}
