internal import ActorRuntime
internal import EventSourcing
internal import ReadModels
internal import Synchronization
internal import Wire

/// Answers `state` on a thread of its own: a long stream is read from its start.
actor StateQueries: Service {
  nonisolated let name = "states"
  private nonisolated let executor = ThreadExecutor(name: "states")
  private let reader: StateReader
  private let isStopping = Atomic<Bool>(false)
  private var isDropPlanned = false

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  init(store: any EventStore) { reader = StateReader(store: store) }

  func start() {}

  /// What waits is refused, so that the thread ends soon.
  nonisolated func stop() async {
    isStopping.store(true, ordering: .relaxed)
    executor.stop()
  }

  func state(_ request: StateRequest) throws(ServiceError) -> [UInt8] {
    guard !isStopping.load(ordering: .relaxed) else {
      throw ServiceError(.unavailable, "the service stops")
    }
    let at: StateInstant? =
      switch request.at {
      case .position(let position): .position(position)
      case .time(let time): .time(time)
      case nil: nil
      }
    defer { planDrop() }
    return try reader.state(
      of: request.stream, view: request.view, at: at,
      page: PageRequest(request.filter, limit: request.limit, cursor: request.cursor))
  }
  /// What is kept for further pages goes in the end, also if nobody asks again.
  private func planDrop() {
    guard !isDropPlanned else { return }
    isDropPlanned = true
    Task { [weak self] in
      try? await Task.sleep(for: .milliseconds(StateReader.idleMilliseconds))
      await self?.drop()
    }
  }

  private func drop() {
    isDropPlanned = false
    if reader.dropIdle() { planDrop() }
  }
}

extension StateQueries: ErasureFollower {
  /// States of the past are kept for further pages; what was erased goes from them too.
  func forget(_ streams: Set<StreamID>, upTo position: GlobalPosition) { reader.forget() }
}
