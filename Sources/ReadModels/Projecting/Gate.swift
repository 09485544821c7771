internal import ActorRuntime

/// Counts the calls inside an actor, so that its thread ends only after the last of them: an
/// executor must get no work once it has stopped.
final class Gate: Sendable {
  private struct State {
    var inside = 0
    var isOpen = true
    var closer: CheckedContinuation<Void, Never>?
  }

  private let state = Lock(State())

  /// - Returns: false once the gate is closed; else `leave` must follow.
  func enter() -> Bool {
    state.withLock { state in
      if state.isOpen { state.inside += 1 }
      return state.isOpen
    }
  }

  func leave() {
    let closer = state.withLock { state -> CheckedContinuation<Void, Never>? in
      state.inside -= 1
      guard state.inside == 0 else { return nil }
      defer { state.closer = nil }
      return state.closer
    }
    closer?.resume()
  }

  /// Lets nobody in any more and waits until all are out.
  func close() async {
    await withCheckedContinuation { continuation in
      let isEmpty = state.withLock { state in
        state.isOpen = false
        if state.inside > 0 { state.closer = continuation }
        return state.inside == 0
      }
      if isEmpty { continuation.resume() }
    }
  }

  var isOpen: Bool { state.withLock { $0.isOpen } }
}
