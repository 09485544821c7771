internal import ActorRuntime
internal import EventSourcing
internal import ReadModels
internal import Wire

/// Answers `state` on a thread of its own: a long stream is read from its start.
actor StateQueries: Service {
  nonisolated let name = "states"
  private nonisolated let executor = ThreadExecutor(name: "states")
  private let reader: StateReader

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  init(store: any EventStore) { reader = StateReader(store: store) }

  func start() {}

  nonisolated func stop() async { executor.stop() }

  func state(_ request: StateRequest) throws(ServiceError) -> [UInt8] {
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
