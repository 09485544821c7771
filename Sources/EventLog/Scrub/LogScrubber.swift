public import ActorRuntime
internal import EventSourcing
internal import Glibc

/// Checks the sealed segments of an open log, pass after pass, on a thread of little priority, no
/// faster than it is allowed to. What it finds it tells; it changes nothing.
///
/// Each pass begins with another segment, so that a service that is started often does not look at
/// the first ones only.
public final class LogScrubber: Service {
  private let store: SegmentedEventStore
  private let configuration: ScrubConfiguration
  private let clock: any WallClock
  private let onDamage: @Sendable (LogDamage) -> Void
  private let isStopping = Monitor(false)
  private let thread = Lock<NamedThread?>(nil)

  public var name: String { "log scrub" }

  /// - Parameter onDamage: told of each damaged place once, on the scrub's thread.
  public init(
    store: SegmentedEventStore, configuration: ScrubConfiguration = ScrubConfiguration(),
    clock: any WallClock = SystemClock(), onDamage: @escaping @Sendable (LogDamage) -> Void
  ) {
    self.store = store
    self.configuration = configuration
    self.clock = clock
    self.onDamage = onDamage
  }

  public func start() async {
    guard configuration.bytesPerSecond > 0 else {
      return store.core.scrub.withLock { $0 = ScrubStatus(state: .off) }
    }
    store.core.scrub.withLock { $0 = ScrubStatus(state: .running) }
    thread.withLock { thread in
      thread = NamedThread("log-scrub") { [self] in
        ThreadPriority.lower()
        run()
      }
    }
  }

  public func stop() async {
    isStopping.change { $0 = true }
    await withCheckedContinuation { continuation in
      // Waiting for a thread would block one of the few that all tasks share.
      _ = NamedThread("scrub-stop") { [self] in
        thread.withLock { thread in
          thread?.join()
          thread = nil
        }
        continuation.resume()
      }
    }
  }

  private func run() {
    while pass() {
      update { status in
        status.state = .waiting
        status.passes += 1
        status.lastCompleted = Timestamp(microseconds: clock.microsecondsSinceEpoch)
      }
      if waits(milliseconds: configuration.pauseMilliseconds) { return }
      update { $0.state = .running }
    }
  }

  /// - Returns: false where it was stopped.
  private func pass() -> Bool {
    let sealed = store.core.catalog.all.dropLast()
    guard !sealed.isEmpty else { return true }
    let start = Int.random(in: 0..<sealed.count)
    let pace = ScrubPace(bytesPerSecond: configuration.bytesPerSecond) { [self] milliseconds in
      waits(milliseconds: milliseconds)
    }
    let check = SegmentCheck(storage: store.storage) { (count) throws(StorageError) in
      try pace.add(count)
    }
    for segment in sealed[start...] + sealed[..<start] {
      let damages = check.damages(of: segment) { waits(milliseconds: $0) }
      if isStopping.change({ $0 }) { return false }
      take(damages, of: segment)
    }
    return true
  }

  /// What is damaged is as this look says; it may have been put right.
  private func take(_ damages: [LogDamage], of segment: Segment) {
    let places = damages.map {
      ScrubStatus.Damage(
        file: $0.file, offset: $0.offset, positions: $0.positions, reason: $0.reason)
    }
    var known: [ScrubStatus.Damage] = []
    update { status in
      known = status.damage
      status.damage.removeAll { $0.file == segment.name }
      status.damage += places
      if let seal = segment.seal {
        status.position = GlobalPosition(segment.first + UInt64(seal.count) - 1)
      }
    }
    for (damage, place) in zip(damages, places) where !known.contains(place) { onDamage(damage) }
  }

  private func update(_ body: (inout ScrubStatus) -> Void) {
    store.core.scrub.withLock { status in
      var changed = status ?? ScrubStatus(state: .running)
      body(&changed)
      status = changed
    }
  }

  /// - Returns: whether it is to stop.
  private func waits(milliseconds: Int) -> Bool {
    isStopping.wait(milliseconds: milliseconds) { $0 ? true : nil } ?? false
  }
}

/// Lets a reader read no faster than it may.
private final class ScrubPace: Sendable {
  private let bytesPerSecond: Int
  private let waits: @Sendable (Int) -> Bool
  private let state = Lock((bytes: 0, started: MonotonicTime.milliseconds))

  /// - Parameter waits: for some milliseconds; true where it is to stop.
  init(bytesPerSecond: Int, waits: @escaping @Sendable (Int) -> Bool) {
    self.bytesPerSecond = bytesPerSecond
    self.waits = waits
  }

  func add(_ count: Int) throws(StorageError) {
    let rest = state.withLock { state in
      state.bytes += count
      let due = state.started + Int(Double(state.bytes) / Double(bytesPerSecond) * 1000)
      return max(due - MonotonicTime.milliseconds, 0)
    }
    if waits(rest) { throw StorageError(.read, path: "", code: ECANCELED) }
  }
}
