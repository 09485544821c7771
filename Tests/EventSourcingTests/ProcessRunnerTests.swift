import ActorRuntime
import EventSourcing
import SwipestreamTesting
import Testing

/// A clock that is set by hand.
final class ManualClock: WallClock {
  private let time = Lock<Int64>(0)

  init(_ microseconds: Int64 = 0) { set(microseconds) }

  func set(_ microseconds: Int64) { time.withLock { $0 = microseconds } }
  var microsecondsSinceEpoch: Int64 { time.withLock { $0 } }
}

/// An agenda in memory, and a sink that does its work, or fails at it.
final class FakeAgenda: AgendaSource, CommandSink {
  struct State {
    var works: [DueWork] = []
    var failure: ServiceError?
    /// By subject, why its command fails.
    var refusals: [Int: ServiceError] = [:]
    /// Works whose command is answered, and that are due all the same.
    var stuck: Set<Int> = []
    var sent: [ServiceCommand] = []
    var largestBatch = 0
    var looks = 0
    var onChange: (@Sendable () -> Void)?
  }

  private let state = Lock(State())

  func change(_ body: (inout State) -> Void) {
    let ring = state.withLock { state in
      body(&state)
      return state.onChange
    }
    ring?()
  }

  func read<Value>(_ body: (State) -> Value) -> Value { state.withLock { body($0) } }

  func due(
    at time: Timestamp, limit: Int, without exclusions: AgendaExclusions
  ) async throws(ServiceError) -> AgendaPage {
    try state.withLock { state throws(ServiceError) in
      state.looks += 1
      if let failure = state.failure { throw failure }
      let due = state.works.filter { work in
        work.due <= time
          && !exclusions.groups.contains(.init(kind: work.kind, stream: work.stream))
          && !exclusions.works.contains(.init(kind: work.kind, cause: work.cause))
      }
      let next = state.works.map(\.due).filter { $0 > time }.min()
      return AgendaPage(works: Array(due.prefix(limit)), next: due.isEmpty ? next : nil)
    }
  }

  func onAgendaChange(_ body: (@Sendable () -> Void)?) { state.withLock { $0.onChange = body } }

  func carryOut(_ commands: [ServiceCommand]) async -> [Result<CommandReceipt, ServiceError>] {
    state.withLock { state in
      state.largestBatch = max(state.largestBatch, commands.count)
      state.sent += commands
      return commands.map { command in
        guard let work = state.works.first(where: { $0.cause == command.cause }) else {
          return .failure(ServiceError(.rejected, "it is done"))
        }
        if let refusal = state.refusals[work.subject] { return .failure(refusal) }
        if !state.stuck.contains(work.subject) { state.works.removeAll { $0 == work } }
        return .success(
          CommandReceipt(
            stream: command.stream, revision: Revision(1), position: command.cause, eventCount: 1,
            outcome: Array("{}".utf8)))
      }
    }
  }
}

private struct RingStep: TimerStep {
  static let ring = WorkKind(rawValue: "ring")
  let kind = ring

  func command(for work: DueWork) -> ServiceCommand {
    ServiceCommand(
      id: .ofService("ring", work.cause), stream: work.stream, name: "ring",
      data: Array("{}".utf8), cause: work.cause)
  }
}

@Suite("Due work", .timeLimit(.minutes(1)))
struct ProcessRunnerTests {
  private let agenda = FakeAgenda()
  private let clock = ManualClock(1000)
  private let board = ProcessBoard()

  private func work(_ number: Int, due: Int64, in stream: String = "list/a") throws -> DueWork {
    DueWork(
      kind: RingStep.ring, stream: try StreamID(stream), subject: number,
      due: Timestamp(microseconds: due), cause: GlobalPosition(UInt64(number)),
      revision: Revision(1))
  }

  private func withRunner(
    _ change: (inout ProcessRunner.Limits) -> Void = { _ in },
    _ body: (ProcessRunner) async throws -> Void
  ) async throws {
    var limits = ProcessRunner.Limits()
    limits.firstPauseMilliseconds = 1
    limits.longestPauseMilliseconds = 8
    limits.shortestWaitMilliseconds = 1
    change(&limits)
    let runner = ProcessRunner(
      agenda: agenda, steps: [RingStep()], sink: agenda, clock: clock, board: board,
      limits: limits)
    await runner.start()
    let result: Result<Void, any Error>
    do { result = .success(try await body(runner)) } catch { result = .failure(error) }
    await runner.stop()
    try result.get()
  }

  private func wait(until isMet: () -> Bool) async throws {
    while !isMet() { try await Task.sleep(for: .milliseconds(1)) }
  }

  @Test func doesWhatIsDueAndNothingElse() async throws {
    let (due, later) = (try work(1, due: 1000), try work(2, due: 5000))
    agenda.change { $0.works = [due, later] }
    try await withRunner { runner in
      try await wait { board.status.done == 1 && board.status.state == .waiting }
      #expect(agenda.read { $0.sent.map(\.id.description) } == ["~ring-1"])
      #expect(board.status.next == Timestamp(microseconds: 5000))
      clock.set(4999)
      let looks = agenda.read { $0.looks }
      runner.look()
      try await wait { agenda.read { $0.looks } > looks + 1 }
      #expect(agenda.read { $0.sent.count } == 1)
      clock.set(5000)
      runner.look()
      try await wait { board.status.done == 2 }
      #expect(agenda.read { $0.sent.map(\.id.description) } == ["~ring-1", "~ring-2"])
    }
  }

  @Test func aClockThatStepsBackOnlyDelays() async throws {
    let work = try work(1, due: 1500)
    agenda.change { $0.works = [work] }
    try await withRunner { runner in
      try await wait { board.status.next != nil }
      clock.set(-1_000_000)
      runner.look()
      let looks = agenda.read { $0.looks }
      try await wait { agenda.read { $0.looks } > looks }
      #expect(agenda.read { $0.sent.isEmpty })
      clock.set(.max / 2)
      runner.look()
      try await wait { board.status.done == 1 }
      #expect(agenda.read { $0.sent.count } == 1)
    }
  }

  @Test func noticesAChangeOfTheAgendaByItself() async throws {
    try await withRunner { _ in
      try await wait { board.status.state == .waiting && agenda.read { $0.looks } > 0 }
      let work = try work(7, due: 0)
      agenda.change { $0.works = [work] }
      try await wait { board.status.done == 1 }
    }
  }

  @Test func noMoreThanABatchIsUnderWay() async throws {
    let works = try (1...1000).map { try work($0, due: 0) }
    agenda.change { $0.works = works }
    try await withRunner { limits in
      limits.worksAtOnce = 32
    } _: { _ in
      try await wait { board.status.done == 1000 }
      #expect(agenda.read { $0.largestBatch } == 32)
      #expect(agenda.read { Set($0.sent.map(\.id)).count } == 1000)
      #expect(agenda.read { $0.sent.count } == 1000, "each was sent once")
    }
  }

  @Test func whatFailsIsTriedAgainAndHoldsNothingUp() async throws {
    let works = [try work(1, due: 0), try work(2, due: 0), try work(3, due: 0, in: "list/b")]
    agenda.change {
      $0.works = works
      $0.refusals[1] = ServiceError(.unavailable, "damaged log")
    }
    try await withRunner { _ in
      try await wait { board.status.done == 2 }
      try await wait { agenda.read { $0.sent.count { $0.cause.rawValue == 1 } } >= 3 }
      try await wait { board.status.postponed == 1 }
      #expect(board.status.lastFailure == "ring of 1 in list/a: unavailable: damaged log")
      agenda.change { $0.refusals = [:] }
      try await wait { board.status.done == 3 }
    }
  }

  @Test func muchThatFailsInOneStreamIsPutOffAsOne() async throws {
    let works = try (1...500).map { try work($0, due: 0) }
    let other = try work(501, due: 1, in: "list/b")
    agenda.change {
      $0.works = works + [other]
      for number in 1...500 { $0.refusals[number] = ServiceError(.unavailable, "damaged log") }
    }
    try await withRunner { limits in
      limits.worksAtOnce = 64
      limits.postponedWorks = 16
    } _: { _ in
      try await wait { board.status.done == 1 }
      #expect(board.status.postponed <= 17)
      agenda.change { $0.refusals = [:] }
      try await wait { board.status.done == 501 }
    }
  }

  @Test(arguments: [ErrorCode.overloaded, .readOnly])
  func whereNothingGoesAllWaits(code: ErrorCode) async throws {
    let works = try (1...3).map { try work($0, due: 0) }
    agenda.change {
      $0.works = works
      for number in 1...3 { $0.refusals[number] = ServiceError(code, "not now") }
    }
    try await withRunner { _ in
      try await wait { board.status.state == .failing }
      #expect(board.status.lastFailure == "\(code.rawValue): not now")
      #expect(board.status.postponed == 0, "the works themselves are not to blame")
      agenda.change { $0.refusals = [:] }
      try await wait { board.status.done == 3 }
    }
  }

  @Test func anAgendaThatCannotBeAskedIsAskedAgain() async throws {
    let work = try work(1, due: 0)
    agenda.change {
      $0.works = [work]
      $0.failure = ServiceError(.timeout, "it is behind")
    }
    try await withRunner { _ in
      try await wait { board.status.state == .failing && agenda.read { $0.looks } > 3 }
      #expect(board.status.lastFailure == "timeout: it is behind")
      agenda.change { $0.failure = nil }
      try await wait { board.status.done == 1 && board.status.state == .waiting }
    }
  }

  @Test func workThatIsDoneAndDueAllTheSameIsPutOff() async throws {
    let works = [try work(1, due: 0), try work(2, due: 0)]
    agenda.change {
      $0.works = works
      $0.stuck = [1]
    }
    try await withRunner { limits in
      limits.longestPauseMilliseconds = 60_000
      limits.firstPauseMilliseconds = 20_000
    } _: { _ in
      try await wait { board.status.done == 1 && board.status.postponed == 1 }
      #expect(agenda.read { $0.sent.count } == 2)
      #expect(board.status.lastFailure?.contains("still has it") == true)
    }
  }

  @Test func whatNobodyDoesIsLeftLyingAndTold() async throws {
    let unknown = DueWork(
      kind: WorkKind(rawValue: "paint"), stream: try StreamID("list/a"), subject: 1,
      due: Timestamp(microseconds: 0), cause: GlobalPosition(9), revision: Revision(1))
    let known = try work(1, due: 0)
    agenda.change { $0.works = [unknown, known] }
    try await withRunner { _ in
      try await wait { board.status.done == 1 && board.status.postponed == 1 }
      #expect(board.status.lastFailure?.contains("no work of the kind paint") == true)
    }
  }

  @Test func aRunnerThatStartsAnewGoesOn() async throws {
    let works = try (1...10).map { try work($0, due: Int64($0) * 100) }
    agenda.change { $0.works = works }
    clock.set(500)
    try await withRunner { _ in try await wait { board.status.done == 5 } }
    clock.set(1000)
    try await withRunner { _ in try await wait { board.status.done == 10 } }
    #expect(agenda.read { $0.sent.map(\.cause.rawValue) } == Array(1...10))
  }
}
