internal import ActorRuntime
internal import EventSourcing
internal import Synchronization

/// What every thread may know of the views: how far each is, which file answers, and who waits for
/// a position.
final class ViewBoard: Sendable {
  struct Entry {
    let view: ViewDefinition
    var position = GlobalPosition.start
    var isLive = false
    var parked = 0
    /// How many batches have changed rows of the present file since it was opened.
    var changes = 0
    var failure: String?
    /// How many rebuilds are on their way.
    var rebuilds = 0
    /// The file that answers; nil while there is none.
    var file: ViewFile?
    /// The generation that a query found damaged.
    var damaged: Int?
  }

  enum WaitOutcome: Sendable { case reached, timedOut, closed }

  private struct Waiter {
    let view: String
    let position: GlobalPosition
    let continuation: CheckedContinuation<WaitOutcome, Never>
    var timer: Task<Void, Never>?

    func end(_ outcome: WaitOutcome) {
      timer?.cancel()
      continuation.resume(returning: outcome)
    }
  }

  private struct State {
    var entries: [String: Entry] = [:]
    var waiters: [Int: Waiter] = [:]
    var lastWaiter = 0
    var isClosed = false
    /// Called after a view's file was replaced.
    var onSwap: (@Sendable () -> Void)?
    /// By view, called after rows of it were changed or its file was replaced.
    var onChange: [String: @Sendable () -> Void] = [:]
    /// Called after somebody began to wait.
    var onWait: (@Sendable () -> Void)?
  }

  private let views: [ViewDefinition]
  private let state: Lock<State>
  /// The smallest position that is waited for; changed under the lock, read without.
  private let awaited = Atomic<UInt64>(.max)

  init(_ views: [ViewDefinition]) {
    self.views = views
    var state = State()
    for view in views { state.entries[view.name] = Entry(view: view) }
    self.state = Lock(state)
  }

  var statuses: [ViewStatus] {
    let entries = state.withLock { $0.entries }
    return views.compactMap { entries[$0.name]?.status }
  }

  func entry(_ view: String) -> Entry? { state.withLock { $0.entries[view] } }

  /// Changes a view's entry and lets those go on who waited for what it now says.
  func update(_ view: String, _ body: (inout Entry) -> Void) {
    let (reached, observers) = state.withLock { state -> ([Waiter], [@Sendable () -> Void]) in
      guard var entry = state.entries[view] else { return ([], []) }
      let (file, changes) = (entry.file, entry.changes)
      body(&entry)
      state.entries[view] = entry
      let reached = state.waiters.filter {
        $0.value.view == view && $0.value.position <= entry.position
      }
      for id in reached.keys { state.waiters[id] = nil }
      if !reached.isEmpty { noteAwaited(state) }
      let isSwapped = entry.file != file
      let observers = [
        isSwapped ? state.onSwap : nil,
        isSwapped || entry.changes != changes ? state.onChange[view] : nil,
      ]
      return (Array(reached.values), observers.compactMap { $0 })
    }
    for waiter in reached { waiter.end(.reached) }
    for observer in observers { observer() }
  }

  func onSwap(_ body: (@Sendable () -> Void)?) { state.withLock { $0.onSwap = body } }

  func onChange(of view: String, _ body: (@Sendable () -> Void)?) {
    state.withLock { $0.onChange[view] = body }
  }

  func onWait(_ body: (@Sendable () -> Void)?) { state.withLock { $0.onWait = body } }

  // MARK: Waiting

  /// Whether somebody waits for a position up to `head`; without a lock, for the log's own thread.
  func isAwaited(upTo head: GlobalPosition) -> Bool {
    awaited.load(ordering: .acquiring) <= head.rawValue
  }

  private func noteAwaited(_ state: State) {
    let nearest = state.waiters.values.lazy.map(\.position.rawValue).min()
    awaited.store(nearest ?? .max, ordering: .releasing)
  }

  /// Waits until the view has taken in `position`. Blocks no thread.
  func wait(
    for view: String, toReach position: GlobalPosition, milliseconds: Int
  ) async -> WaitOutcome {
    await withCheckedContinuation { continuation in
      let waiting = state.withLock { state -> Result<Int, WaitEnded> in
        if state.isClosed { return .failure(WaitEnded(outcome: .closed)) }
        if let present = state.entries[view]?.position, present >= position {
          return .failure(WaitEnded(outcome: .reached))
        }
        state.lastWaiter += 1
        state.waiters[state.lastWaiter] = Waiter(
          view: view, position: position, continuation: continuation)
        noteAwaited(state)
        return .success(state.lastWaiter)
      }
      switch waiting {
      case .success(let id):
        state.withLock { $0.onWait }?()
        startTimer(of: id, milliseconds: milliseconds)
      case .failure(let end): continuation.resume(returning: end.outcome)
      }
    }
  }

  private struct WaitEnded: Error {
    let outcome: WaitOutcome
  }

  private func startTimer(of id: Int, milliseconds: Int) {
    let timer = Task {
      try? await Task.sleep(for: .milliseconds(milliseconds))
      if !Task.isCancelled { take(id)?.end(.timedOut) }
    }
    let isWaiting = state.withLock { state in
      state.waiters[id]?.timer = timer
      return state.waiters[id] != nil
    }
    if !isWaiting { timer.cancel() }
  }

  private func take(_ id: Int) -> Waiter? {
    state.withLock { state in
      defer { noteAwaited(state) }
      return state.waiters.removeValue(forKey: id)
    }
  }

  /// Ends every wait, now and later.
  func close() {
    let waiters = state.withLock { state in
      state.isClosed = true
      defer { state.waiters = [:] }
      return Array(state.waiters.values)
    }
    for waiter in waiters { waiter.end(.closed) }
  }
}

extension ViewBoard.Entry {
  fileprivate var status: ViewStatus {
    ViewStatus(
      name: view.name, version: view.version, position: position, state: statusState,
      parked: parked, reason: failure)
  }

  /// What needs a person's attention goes first.
  private var statusState: ViewStatus.State {
    if failure != nil { return .failed }
    if rebuilds > 0 { return .rebuilding }
    if parked > 0 { return .degraded }
    return isLive ? .live : .catchingUp
  }
}
