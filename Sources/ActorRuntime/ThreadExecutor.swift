internal import Synchronization

/// A serial executor on one named thread that sleeps on a condition: for actors whose work blocks
/// (file reads, SQLite), which must stay off Swift's shared pool.
public final class ThreadExecutor: SerialExecutor {
  private struct State {
    var jobs: [UnownedJob] = []
    var isStopping = false
    var hasStopped = false
  }

  private let name: String
  private let state = Monitor(State())
  private let thread = Lock<NamedThread?>(nil)
  private let identity = Atomic<UInt>(0)

  /// Starts the thread.
  public init(name: String) {
    self.name = name
    let started = NamedThread(name) { [self] in run() }
    thread.withLock { $0 = started }
  }

  public func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let isLate = state.change { state in
      state.jobs.append(job)
      defer { state.hasStopped = false }
      return state.hasStopped
    }
    // Work that comes after the end gets a thread for as long as it takes: dropped, it would hang
    // its task for ever.
    if isLate { _ = NamedThread(name) { [self] in run() } }
  }

  /// Runs what was enqueued, then ends the thread. Not from the executor's own thread.
  public func stop() {
    state.change { $0.isStopping = true }
    thread.withLock { thread in
      thread?.join()
      thread = nil
    }
  }

  public func checkIsolated() {
    precondition(isIsolatingCurrentContext() == true, "not on executor \(name)")
  }

  public func isIsolatingCurrentContext() -> Bool? {
    identity.load(ordering: .relaxed) == ThreadIdentity.current
  }

  private func run() {
    identity.store(ThreadIdentity.current, ordering: .relaxed)
    while let jobs = nextJobs() {
      for job in jobs { job.runSynchronously(on: asUnownedSerialExecutor()) }
    }
  }

  private func nextJobs() -> [UnownedJob]? {
    state.wait { state -> [UnownedJob]?? in
      if !state.jobs.isEmpty {
        defer { state.jobs = [] }
        return .some(state.jobs)
      }
      guard state.isStopping else { return nil }
      state.hasStopped = true
      return .some(nil)
    } ?? nil
  }
}
