public import EventSourcing

/// Why a request did not end well.
public enum ClientError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The service refused it; nothing was written.
  case refused(ServiceError)
  /// No answer came in time. A command may still have been carried out: send it again with the same
  /// id, or ask for its result by id.
  case noAnswer(endpoint: String, milliseconds: Int)
  /// The endpoint cannot be used.
  case cannotConnect(String)
  /// The service answered something that this client does not understand.
  case unexpectedAnswer(String)
  /// The client was closed.
  case closed

  public var description: String {
    switch self {
    case .refused(let error): error.description
    case .noAnswer(let endpoint, let milliseconds):
      "no service answered at \(endpoint) within \(milliseconds) ms"
    case .cannotConnect(let reason): "cannot connect: \(reason)"
    case .unexpectedAnswer(let reason): "unexpected answer: \(reason)"
    case .closed: "the client is closed"
    }
  }
}
