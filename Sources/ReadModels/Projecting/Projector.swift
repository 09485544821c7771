public import ActorRuntime
public import EventSourcing
internal import Synchronization

/// Keeps the views up to date with the log, on a thread of its own.
///
/// Each view is one SQLite file in the views' directory with its own checkpoint. A file that is
/// missing, damaged, or of another version or log is built anew; nothing about a view stops a start.
public actor Projector: Service {
  /// How many events one transaction takes in at most.
  public static let batchSize = 20_000
  static let retryMilliseconds = 1000
  /// A file up to this size is checked before it is used, a larger one while it is.
  static let bytesCheckedAtStart = 64 << 20

  struct ActiveView {
    let view: ViewDefinition
    var file: ViewFile
    /// Generations are never used again.
    var lastGeneration: Int
    /// Nil while the file cannot be opened.
    var writer: (any ViewWriter)?
  }

  public nonisolated let name = "projector"
  nonisolated let store: any EventStore
  nonisolated let board: ViewBoard
  nonisolated let directory: ViewDirectory
  let rebuilder: Rebuilder
  nonisolated let gate = Gate()
  var active: [ActiveView] = []

  private let executor = ThreadExecutor(name: "projector")
  private let batchSize: Int
  private let retryMilliseconds: Int
  private var observation: HeadObservation?
  private var isRetryPlanned = false
  private let isWoken = Atomic<Bool>(false)
  private let pace = ProjectorPace()

  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  /// - Parameters:
  ///   - store: the log that the views follow.
  ///   - directory: where the views' files are; made if it is missing.
  public init(store: any EventStore, directory: String) {
    self.init(
      store: store, directory: directory, batchSize: Self.batchSize,
      retryMilliseconds: Self.retryMilliseconds)
  }

  init(store: any EventStore, directory: String, batchSize: Int, retryMilliseconds: Int) {
    self.store = store
    self.directory = ViewDirectory(path: directory)
    self.batchSize = batchSize
    self.retryMilliseconds = retryMilliseconds
    board = ViewBoard(ViewDefinition.all)
    rebuilder = Rebuilder(store: store, directory: self.directory, batchSize: batchSize)
  }

  /// How each view is doing; cheap, from any thread.
  public nonisolated var statuses: [ViewStatus] { board.statuses }

  // MARK: Service

  /// Opens the views' files and begins to follow the log; never fails.
  public func start() {
    // Commands and answers go first; what they leave is enough to catch up with them.
    ThreadPriority.lower()
    for view in ViewDefinition.all { active.append(openAtStart(view)) }
    board.onWait { [weak self] in self?.wake() }
    observation = store.observeHead { [weak self] head in self?.follow(head) }
    wake()
  }

  /// Ends waits and rebuilds, closes the files and ends the threads.
  public nonisolated func stop() async {
    await endObservation()
    // What came in the last moments: a view that has all of it tells a later start that it was there.
    await turn()
    board.onWait(nil)
    board.close()
    await gate.close()
    await closeFiles()
    rebuilder.stop()
    executor.stop()
  }

  private func endObservation() {
    if let observation { store.cancel(observation) }
    observation = nil
  }

  private func closeFiles() {
    for index in active.indices {
      active[index].writer?.close()
      active[index].writer = nil
    }
  }

  // MARK: Following the log

  /// Sees to it that the views take in what has come: at once where somebody waits for it, else in a
  /// while with whatever comes until then. Never blocks, as the log's writer calls it.
  private nonisolated func follow(_ head: GlobalPosition) {
    if board.isAwaited(upTo: head) { return wake() }
    guard let milliseconds = pace.beginWait() else { return }
    Task { [weak self] in
      try? await Task.sleep(for: .milliseconds(milliseconds))
      guard let self else { return }
      pace.endWait()
      wake()
    }
  }

  /// Sees to it that the views are brought up to date at once; from any thread, never blocks.
  nonisolated func wake() {
    guard !isWoken.exchange(true, ordering: .acquiringAndReleasing) else { return }
    guard gate.enter() else { return }
    Task {
      await turn()
      gate.leave()
    }
  }

  /// One batch for each view, so that whatever else is asked of the projector gets its turn.
  private func turn() {
    isWoken.store(false, ordering: .sequentiallyConsistent)
    let start = MonotonicTime.nanoseconds
    repairFiles()
    let head = store.head
    let positions = Set(active.compactMap { $0.writer?.position })
    for position in positions.sorted() where position < head { advance(from: position) }
    for index in active.indices { publish(index, head: head) }
    let failing = Set(board.statuses.filter { $0.reason != nil }.map(\.name))
    if !failing.isEmpty { planRetry() }
    let isBehind = active.contains { current in
      !failing.contains(current.view.name) && current.writer.map { $0.position < head } ?? false
    }
    pace.note(turnNanoseconds: MonotonicTime.nanoseconds - start)
    if isBehind { wake() }
  }

  /// Gives the next events to every view that stands at `position`.
  private func advance(from position: GlobalPosition) {
    let indices = active.indices.filter { active[$0].writer?.position == position }
    let batch = ViewBatch(store: store, writers: indices.compactMap { active[$0].writer })
    do throws(ReadError) {
      for (index, failure) in zip(indices, try batch.run(limit: ReadLimit(events: batchSize))) {
        if let failure { handle(failure, of: index) } else { clearFailure(index) }
      }
    } catch {
      for index in indices { fail(index, because: error.description) }
    }
  }

  private func publish(_ index: Int, head: GlobalPosition) {
    let current = active[index]
    guard let writer = current.writer else { return }
    let (position, parked, limit) = (writer.position, writer.parkedCount, batchSize)
    let changes = writer.changeCount
    board.update(current.view.name) { entry in
      entry.position = position
      entry.parked = parked
      entry.changes = changes
      entry.file = current.file
      // A batch behind is catching up; a moment behind is no change.
      if position >= head {
        entry.isLive = true
      } else if position.advanced(by: limit) < head {
        entry.isLive = false
      }
    }
  }

  // MARK: Failures

  func fail(_ index: Int, because reason: String) {
    board.update(active[index].view.name) { $0.failure = reason }
  }

  func clearFailure(_ index: Int) {
    guard board.entry(active[index].view.name)?.failure != nil else { return }
    board.update(active[index].view.name) { $0.failure = nil }
  }

  private func planRetry() {
    if isRetryPlanned { return }
    isRetryPlanned = true
    let milliseconds = retryMilliseconds
    Task { [weak self] in
      try? await Task.sleep(for: .milliseconds(milliseconds))
      self?.retry()
    }
  }

  private nonisolated func retry() {
    guard gate.enter() else { return }
    Task {
      await clearRetry()
      gate.leave()
      wake()
    }
  }

  private func clearRetry() { isRetryPlanned = false }
}
