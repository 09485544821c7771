/// Another stream's state on its way to the command that is first in line and cannot be decided
/// without it.
struct SourceFetch {
  private enum Phase {
    case none
    case needed(StreamID)
    case underWay(StreamID)
    case done(Result<any Sendable, ServiceError>)
  }

  private var phase = Phase.none

  /// Whether commands have to wait.
  var isOpen: Bool {
    switch phase {
    case .none, .done: false
    case .needed, .underWay: true
    }
  }

  mutating func need(_ stream: StreamID) { phase = .needed(stream) }

  /// The stream that is to be loaded now; then it counts as under way.
  mutating func begin() -> StreamID? {
    guard case .needed(let stream) = phase else { return nil }
    phase = .underWay(stream)
    return stream
  }

  /// What was loaded for a command that does not wait any more is dropped.
  mutating func finish(_ stream: StreamID, _ result: Result<any Sendable, ServiceError>) {
    if case .underWay(stream) = phase { phase = .done(result) }
  }

  /// For the command that waited for it, once.
  mutating func take() -> Result<any Sendable, ServiceError>? {
    guard case .done(let result) = phase else { return nil }
    phase = .none
    return result
  }

  mutating func cancel() { phase = .none }
}
