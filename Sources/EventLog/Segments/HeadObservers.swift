internal import ActorRuntime
internal import EventSourcing

/// Whom to tell that the head has moved.
final class HeadObservers: Sendable {
  private struct State {
    var bodies: [UInt64: @Sendable (GlobalPosition) -> Void] = [:]
    var nextID: UInt64 = 1
  }

  private let state = Lock(State())

  func add(_ body: @escaping @Sendable (GlobalPosition) -> Void) -> HeadObservation {
    state.withLock { state in
      defer { state.nextID += 1 }
      state.bodies[state.nextID] = body
      return HeadObservation(id: state.nextID)
    }
  }

  func remove(_ observation: HeadObservation) {
    state.withLock { _ = $0.bodies.removeValue(forKey: observation.id) }
  }

  /// Outside of the lock, so that an observer may end its own observation.
  func tell(_ head: GlobalPosition) {
    for body in state.withLock({ $0.bodies.values.map { $0 } }) { body(head) }
  }
}
