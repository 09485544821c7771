internal import ActorRuntime
internal import EventLog
internal import EventSourcing

/// A whole life of a log on a disk that fails, crash after crash, all of it from one seed.
///
/// The simulation takes the log writer's turns itself, on one thread, so the same seed gives the
/// same history. It knows each batch as acknowledged, as refused for certain, or as in doubt when
/// the machine stopped, and compares everything that the log says with that.
public struct LogSimulation {
  static let directory = "/data"

  let seed: UInt64
  var random: SeededRandom
  let storage: SimulatedStorage
  let clock = SimulatedClock()
  let configuration: EventLogConfiguration
  /// Whether the disk says that it wrote what it did not; then an end may be lost, but nothing may
  /// be wrong.
  let isLying: Bool
  var batches = BatchSource()
  var model = LogModel()
  /// Without an answer so far, in order.
  var pending: [PendingBatch] = []
  let answers = AnswerLog()
  var store: SegmentedEventStore?
  /// Whether a lying disk has done damage that the log names.
  var isOver = false
  var totals = SimulationTotals()
  private var steps: [String] = []
  private var stepCount = 0
  private let stepLimit: Int

  struct PendingBatch {
    let number: Int
    let batch: AppendBatch
  }

  /// Runs the history of a seed.
  ///
  /// - Parameter stepLimit: how many of its last steps a failure tells.
  /// - Returns: what happened.
  public static func run(
    seed: UInt64, stepLimit: Int = 40
  ) throws(SimulationFailure) -> SimulationTotals {
    var simulation = LogSimulation(seed: seed, stepLimit: stepLimit)
    return try simulation.run()
  }

  private init(seed: UInt64, stepLimit: Int) {
    self.stepLimit = stepLimit
    self.seed = seed
    var random = SeededRandom(seed: seed)
    isLying = random.chance(oneIn: 6)
    configuration = Self.configuration(&random)
    storage = SimulatedStorage(seed: random.next())
    self.random = random
  }

  /// Limits so small that all of them are met.
  private static func configuration(_ random: inout SeededRandom) -> EventLogConfiguration {
    var configuration = EventLogConfiguration()
    configuration.allowsTinySegments = true
    configuration.probeMilliseconds = 0
    configuration.segmentBytes = [6 << 10, 8 << 10, 20 << 10][Int(random.next() % 3)]
    configuration.commandHorizon = [3, 40, 100_000][Int(random.next() % 3)]
    configuration.queueBytes = random.chance(oneIn: 4) ? 6_000 : 1 << 30
    configuration.indexCacheBytes = random.chance(oneIn: 2) ? 2 << 10 : 1 << 20
    configuration.revisionCacheEntries = random.chance(oneIn: 2) ? 4 : 1000
    configuration.openSegments = random.chance(oneIn: 2) ? 2 : 64
    configuration.streamHashMask = random.chance(oneIn: 3) ? 3 : .max
    return configuration
  }

  private mutating func run() throws(SimulationFailure) -> SimulationTotals {
    note("segments of \(configuration.segmentBytes) bytes\(isLying ? ", a lying disk" : "")")
    var rounds = 0
    while rounds < 8, try open() {
      rounds += 1
      try runRound()
    }
    if try open() { try finish() }
    if isLying {
      // What such a disk loses it loses.
      totals.onLyingDisks = totals.acknowledged
      totals.acknowledged = 0
      totals.found = 0
    }
    totals.seeds = 1
    totals.faults = storage.counts.faults
    return totals
  }

  /// The last look at everything.
  private mutating func finish() throws(SimulationFailure) {
    guard try check(), try expectWriting() else { return }
    try checkIndexes()
    totals.found = totals.acknowledged
    totals.segments = store?.statistics.segments ?? 0
    store?.close()
    store = nil
  }

  // MARK: Words

  mutating func note(_ step: String) {
    stepCount += 1
    steps.append("\(stepCount) \(step)")
    if steps.count > stepLimit { steps.removeFirst() }
  }

  func failure(
    _ reason: String, kind: SimulationFailure.Kind = .other
  ) -> SimulationFailure {
    SimulationFailure(seed: seed, kind: kind, reason: reason, steps: steps)
  }
}

/// A clock that steps when it is told to.
final class SimulatedClock: WallClock {
  private let time = Lock<Int64>(1_000_000)

  var microsecondsSinceEpoch: Int64 { time.withLock { $0 } }

  func step(_ microseconds: Int64) { time.withLock { $0 += microseconds } }
}

/// Answers in the order in which they came.
final class AnswerLog: Sendable {
  private let answers = Lock<[(number: Int, result: Result<AppendReceipt, AppendError>)]>([])

  func take(_ number: Int, _ result: Result<AppendReceipt, AppendError>) {
    answers.withLock { $0.append((number, result)) }
  }

  func removeAll() -> [(number: Int, result: Result<AppendReceipt, AppendError>)] {
    answers.withLock { answers in
      defer { answers = [] }
      return answers
    }
  }
}
