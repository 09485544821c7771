internal import CThreads
internal import Glibc
internal import Synchronization

/// An actor that waits for the world (sockets) itself, driven by a ``PollingExecutor``.
public protocol PolledActor: Actor {
  /// Handles what is ready, after waiting for something if it may.
  ///
  /// - Parameter mayBlock: whether to wait. Then the wait must also end when the executor's
  ///   `wakeDescriptor` becomes readable.
  func turn(mayBlock: Bool)
}

/// A serial executor on one named thread that sleeps inside an actor's own poll call.
///
/// A condition variable cannot wake `zmq_poll`, so the executor owns an event descriptor that the
/// actor polls along with its sockets.
public final class PollingExecutor: SerialExecutor {
  private struct State {
    var jobs: [UnownedJob] = []
    var isStopping = false
    var hasStopped = false
  }

  private let name: String
  private let state = Lock(State())
  private let thread = Lock<NamedThread?>(nil)
  private let identity = Atomic<UInt>(0)
  private let isSleeping = Atomic<Bool>(false)

  /// Readable when work has arrived while the thread slept.
  public let wakeDescriptor: CInt

  public init(name: String) {
    self.name = name
    wakeDescriptor = swipestream_event_descriptor()
    precondition(wakeDescriptor >= 0, "no event descriptor: \(String(cString: strerror(errno)))")
  }

  deinit { close(wakeDescriptor) }

  /// Starts the thread, which gives `actor` its turns until ``stop()``.
  public func start(driving actor: some PolledActor) {
    let started = NamedThread(name) { [self] in run(actor) }
    thread.withLock { $0 = started }
  }

  public func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let isLate = state.withLock { state in
      state.jobs.append(job)
      defer { state.hasStopped = false }
      return state.hasStopped
    }
    if isLate { _ = NamedThread(name) { [self] in runLateJobs() } }
    wake()
  }

  /// Ends the actor's wait, if it is in one.
  @inline(__always)
  public func wake() {
    guard isSleeping.load(ordering: .sequentiallyConsistent),
      isSleeping.exchange(false, ordering: .sequentiallyConsistent)
    else { return }
    var one: UInt64 = 1
    _ = write(wakeDescriptor, &one, 8)
  }

  /// Runs what was enqueued, then ends the thread. Not from the executor's own thread.
  public func stop() {
    state.withLock { $0.isStopping = true }
    wake()
    thread.withLock { thread in
      thread?.join()
      thread = nil
    }
  }

  public func checkIsolated() {
    precondition(isIsolatingCurrentContext() == true, "not on executor \(name)")
  }

  public func isIsolatingCurrentContext() -> Bool? { isCurrent }

  /// Whether the caller runs on this executor.
  public var isCurrent: Bool { identity.load(ordering: .relaxed) == ThreadIdentity.current }

  private func run(_ actor: some PolledActor) {
    identity.store(ThreadIdentity.current, ordering: .relaxed)
    while true {
      runJobs()
      if isFinished() { return }
      turn(actor)
    }
  }

  /// Work that comes after the end, as from a task that was on its way here, gets a thread for as
  /// long as it takes: dropped, it would hang its task for ever.
  private func runLateJobs() {
    identity.store(ThreadIdentity.current, ordering: .relaxed)
    repeat { runJobs() } while !isFinished()
  }

  /// Whether all is done after ``stop()`` was called; from then on the thread takes no more.
  private func isFinished() -> Bool {
    state.withLock { state in
      if state.isStopping && state.jobs.isEmpty { state.hasStopped = true }
      return state.hasStopped
    }
  }

  private func runJobs() {
    let jobs = state.withLock { state in
      defer { state.jobs.removeAll() }
      return state.jobs
    }
    for job in jobs { job.runSynchronously(on: asUnownedSerialExecutor()) }
  }

  /// Announces the sleep before looking at the queue a last time, so that work which arrives in
  /// between either is seen here or finds the announcement and writes to the descriptor.
  private func turn(_ actor: some PolledActor) {
    isSleeping.store(true, ordering: .sequentiallyConsistent)
    let isIdle = state.withLock { $0.jobs.isEmpty && !$0.isStopping }
    actor.assumeIsolated { $0.turn(mayBlock: isIdle) }
    let wasWoken = !isSleeping.exchange(false, ordering: .sequentiallyConsistent)
    // Whoever wakes writes only after it has cleared the flag. A write that came too late for this
    // read ends the next wait, and is read after that one, woken or not.
    if isIdle || wasWoken {
      var count: UInt64 = 0
      _ = read(wakeDescriptor, &count, 8)
    }
  }
}
