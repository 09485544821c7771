public import ActorRuntime

/// Does work when it is due: reads it from the agenda, and has each kind's step send the commands
/// that it takes. It has a thread of its own.
///
/// Nothing is remembered but what failed a moment ago. After a start, and after every batch, the
/// agenda is asked again; what was done is in the log, so the agenda has it no more.
///
/// A clock that steps only delays or hastens work: the time is compared here and nowhere else.
public actor ProcessRunner: Service {
  public struct Limits: Sendable {
    /// Works begun together; the next ones follow when all of them are answered, so that clients'
    /// commands never wait behind more.
    public var worksAtOnce = 256
    /// After a failure, before the first further try; each failure in a row doubles it.
    public var firstPauseMilliseconds = 100
    public var longestPauseMilliseconds = 60_000
    /// The clock may be set while nothing is due; it is looked at this often.
    public var longestWaitMilliseconds = 5000
    /// Between two looks at an agenda that had nothing due, however often it changes.
    public var shortestWaitMilliseconds = 20
    /// More failed works than these of one kind in one stream are put off as one.
    public var postponedWorks = 64

    public init() {}
  }

  /// What the runner is woken by.
  private struct Bell {
    var isRung = false
    var isStopping = false
  }

  public nonisolated let name = "processes"
  private let agenda: any AgendaSource
  private let steps: [WorkKind: any ProcessStep]
  private let sink: any CommandSink
  private let clock: any WallClock
  private let board: ProcessBoard
  private let limits: Limits
  private nonisolated let executor = ThreadExecutor(name: "processes")
  private nonisolated let bell = Monitor(Bell())
  private var postponements: Postponements
  /// What the last batch did: the agenda must not have it any more.
  private var lastDone: [AgendaExclusions.Work: DueWork] = [:]
  private var work: Task<Void, Never>?

  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  /// - Parameters:
  ///   - agenda: what is due.
  ///   - steps: who does it; a kind without a step is left lying.
  ///   - sink: where commands go.
  ///   - clock: tells when something is due.
  ///   - board: where the status is told.
  public init(
    agenda: any AgendaSource, steps: [any ProcessStep], sink: any CommandSink,
    clock: any WallClock, board: ProcessBoard, limits: Limits = Limits()
  ) {
    self.agenda = agenda
    self.steps = Dictionary(uniqueKeysWithValues: steps.map { ($0.kind, $0) })
    self.sink = sink
    self.clock = clock
    self.board = board
    self.limits = limits
    postponements = Postponements(limits)
  }

  // MARK: Service

  public func start() {
    ThreadPriority.lower()
    agenda.onAgendaChange { [bell] in bell.change { $0.isRung = true } }
    work = Task { await self.run() }
  }

  /// Commands that were sent are awaited; what is due after that is done by the next start.
  public nonisolated func stop() async {
    agenda.onAgendaChange(nil)
    bell.change { $0.isStopping = true }
    await end()
    executor.stop()
  }

  private func end() async { await work?.value }

  /// Has the agenda looked at now: for those who set the clock.
  public nonisolated func look() { bell.change { $0.isRung = true } }

  // MARK: The loop

  private func run() async {
    var failures = 0
    while !isStopping {
      do throws(ServiceError) {
        let milliseconds = try await doWhatIsDue()
        failures = 0
        if let milliseconds { wait(milliseconds, orUntilRung: true) }
      } catch {
        failures += 1
        board.show {
          $0.state = .failing
          $0.lastFailure = error.description
        }
        wait(limits.pause(after: failures), orUntilRung: false)
      }
    }
  }

  private nonisolated var isStopping: Bool {
    bell.wait(milliseconds: 0) { $0.isStopping } ?? false
  }

  /// Blocks this thread, which is the runner's own. What the bell rang for before is settled.
  private func wait(_ milliseconds: Int, orUntilRung endsByBell: Bool) {
    _ = bell.wait(milliseconds: milliseconds) { bell -> Bool? in
      if bell.isStopping { return true }
      guard endsByBell, bell.isRung else { return nil }
      return true
    }
  }

  /// - Returns: how long to wait; nil where more may be due.
  /// - Throws: what concerns all work.
  private func doWhatIsDue() async throws(ServiceError) -> Int? {
    bell.change { $0.isRung = false }
    let now = clock.microsecondsSinceEpoch
    let tick = MonotonicTime.milliseconds
    postponements.forgetSettled(at: tick)
    let page = try await agenda.due(
      at: Timestamp(microseconds: now), limit: limits.worksAtOnce,
      without: postponements.exclusions(at: tick))
    let works = settleDone(page.works)
    guard !page.works.isEmpty else {
      board.show {
        $0.state = .waiting
        $0.next = page.next
        $0.postponed = postponements.count
      }
      // However often the agenda changes, and however much of it is not due.
      wait(limits.shortestWaitMilliseconds, orUntilRung: false)
      return milliseconds(until: page.next, from: now, tick)
    }
    board.show {
      $0.state = .working
      $0.inFlight = works.count
      $0.postponed = postponements.count
    }
    defer { board.show { $0.inFlight = 0 } }
    try await perform(works)
    return nil
  }

  /// Settles what the last batch did, now that the agenda has taken that in.
  ///
  /// Work that was done and is due all the same would be done for ever: the log contradicts itself,
  /// as after a repair. It is put off like what fails.
  ///
  /// - Returns: the works that are to be done.
  private func settleDone(_ works: [DueWork]) -> [DueWork] {
    guard !lastDone.isEmpty else { return works }
    var new: [DueWork] = []
    for work in works {
      if lastDone.removeValue(forKey: work.key) == nil {
        new.append(work)
      } else {
        noteFailure(Self.stuck, of: work)
      }
    }
    for work in lastDone.values { postponements.note(successOf: work) }
    board.show { $0.done += lastDone.count }
    lastDone = [:]
    return new
  }

  private func milliseconds(until next: Timestamp?, from now: Int64, _ tick: Int) -> Int {
    var wait = limits.longestWaitMilliseconds
    if let next {
      // Rounded up, so that what is waited for is due then.
      let left = (next.microseconds.subtractingReportingOverflow(now).partialValue + 999) / 1000
      wait = min(wait, Int(clamping: max(left, 1)))
    }
    if let retry = postponements.next(after: tick) { wait = min(wait, max(retry - tick, 1)) }
    return wait
  }

  private func perform(_ works: [DueWork]) async throws(ServiceError) {
    var general: ServiceError?
    for (kind, works) in Dictionary(grouping: works, by: \.kind).sorted(by: { $0.key < $1.key }) {
      guard let step = steps[kind] else {
        for work in works { noteFailure(Self.noStep(kind), of: work) }
        continue
      }
      for (work, error) in zip(works, await step.perform(works, sendingTo: sink)) {
        switch error {
        case nil: lastDone[work.key] = work
        case let error? where error.concernsAllWork: general = error
        case let error?: noteFailure(error, of: work)
        }
      }
    }
    if let general { throw general }
  }

  private func noteFailure(_ error: ServiceError, of work: DueWork) {
    guard error.code != .conflict else {
      // Nothing to tell of.
      return postponements.note(conflictOf: work, at: MonotonicTime.milliseconds)
    }
    postponements.note(failureOf: work, at: MonotonicTime.milliseconds)
    board.show { $0.lastFailure = "\(work.kind) of \(work.subject) in \(work.stream): \(error)" }
  }

  private static let stuck = ServiceError(
    .unavailable, "it is done, but the agenda still has it; `swipestream rebuild agenda` may help")

  private static func noStep(_ kind: WorkKind) -> ServiceError {
    ServiceError(.unavailable, "this service does no work of the kind \(kind)")
  }
}

extension WorkKind: Comparable {
  public static func < (a: WorkKind, b: WorkKind) -> Bool { a.rawValue < b.rawValue }
}

extension ServiceError {
  /// Whether other work would fail just so now: it is better to wait a while with all of it.
  fileprivate var concernsAllWork: Bool { code == .overloaded || code == .readOnly }
}
