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
    return try reader.state(
      of: request.stream, at: at,
      page: PageRequest(
        showsTrash: request.isTrash, limit: request.limit, cursor: request.cursor))
  }
}
