import ActorRuntime
import Glibc
import Testing

private actor Recorder {
  private let executor: ThreadExecutor
  private(set) var values: [Int] = []

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  init(on executor: ThreadExecutor) { self.executor = executor }

  func add(_ value: Int) { values.append(value) }
  func thread() -> UInt { UInt(pthread_self()) }
}

/// Polls nothing but its executor's wake descriptor.
private actor Poller: PolledActor {
  nonisolated let executor: PollingExecutor
  nonisolated let handoff: Handoff<Int>
  private(set) var taken: [Int] = []
  private(set) var turns = 0

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  init(_ executor: PollingExecutor) {
    self.executor = executor
    handoff = Handoff(to: executor)
  }

  func turn(mayBlock: Bool) {
    turns += 1
    taken += handoff.takeAll()
    guard mayBlock else { return }
    var item = pollfd(fd: executor.wakeDescriptor, events: Int16(POLLIN), revents: 0)
    _ = poll(&item, 1, 60_000)
  }
}

struct ActorRuntimeTests {
  @Test func aThreadExecutorRunsItsActorsOnOneThread() async {
    let executor = ThreadExecutor(name: "test")
    let first = Recorder(on: executor)
    let second = Recorder(on: executor)
    let threads = await [first.thread(), second.thread(), first.thread()]
    #expect(Set(threads).count == 1)
    executor.stop()
  }

  @Test func aPollingExecutorWakesForJobsAndHandoffs() async {
    let executor = PollingExecutor(name: "test")
    let poller = Poller(executor)
    executor.start(driving: poller)
    for value in 0..<1000 {
      poller.handoff.give(value)
      if value % 100 == 0 { _ = await poller.taken }
    }
    // Would hang for a minute were a wake lost.
    while await poller.taken.count < 1000 { await Task.yield() }
    #expect(await poller.taken == Array(0..<1000))
    executor.stop()
  }

  @Test func workThatComesAfterTheEndIsDone() async {
    let executor = ThreadExecutor(name: "test")
    let recorder = Recorder(on: executor)
    await recorder.add(1)
    executor.stop()
    await recorder.add(2)
    #expect(await recorder.values == [1, 2])
    let polling = PollingExecutor(name: "test")
    let poller = Poller(polling)
    polling.start(driving: poller)
    polling.stop()
    #expect(await poller.taken == [])
  }

  /// A wake that comes as the turn ends must not leave the next waits without end.
  @Test func anIdlePollingExecutorSleeps() async {
    let executor = PollingExecutor(name: "test")
    let poller = Poller(executor)
    executor.start(driving: poller)
    for _ in 0..<20 {
      for value in 0..<200 { poller.handoff.give(value) }
      while await poller.taken.count % 200 != 0 { await Task.yield() }
      let before = await poller.turns
      try? await Task.sleep(nanoseconds: 5_000_000)
      // A handful for the two looks at it; a spin makes thousands.
      #expect(await poller.turns - before < 100)
    }
    executor.stop()
  }

  @Test func aBoundedQueueRefusesWhatDoesNotFitAndKeepsOrder() {
    let queue = BoundedQueue<Int>(limit: 3)
    #expect(queue.push(1, weight: 2))
    #expect(!queue.push(2, weight: 2))
    #expect(queue.push(3, weight: 1))
    #expect(queue.popAll() == [1, 3])
    #expect(queue.push(4, weight: 100))
    queue.close()
    #expect(!queue.push(5))
    #expect(queue.popAll() == [4])
    #expect(queue.popAll() == nil)
  }

  @Test func aBoundedQueueGivesNothingWhenTheTimeIsUp() {
    #expect(BoundedQueue<Int>(limit: 1).popAll(milliseconds: 5) == [])
  }

  @Test func aServiceGroupStopsInReverseAlsoWhenOneFails() async {
    let log = Lock<[String]>([])
    let group = ServiceGroup([
      Recorded(name: "a", log: log), Recorded(name: "b", log: log),
      Recorded(name: "c", log: log, fails: true),
    ])
    await #expect(throws: Recorded.Failure.self) { try await group.start() }
    #expect(log.withLock { $0 } == ["start a", "start b", "start c", "stop b", "stop a"])
  }
}

private struct Recorded: Service {
  struct Failure: Error {}

  let name: String
  let log: Lock<[String]>
  var fails = false

  func start() async throws {
    log.withLock { $0.append("start \(name)") }
    if fails { throw Failure() }
  }

  func stop() async { log.withLock { $0.append("stop \(name)") } }
}
