internal import CZeroMQ

/// A ZeroMQ call that failed.
public struct ZeroMQError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The call, for example `zmq_bind`.
  public let call: String
  /// `errno`, ZeroMQ's own numbers included.
  public let code: Int32
  /// What the call was about, for example an endpoint; empty where that says nothing.
  public let subject: String

  static func last(_ call: String, _ subject: String = "") -> ZeroMQError {
    ZeroMQError(call: call, code: zmq_errno(), subject: subject)
  }

  public var description: String {
    "\(call)\(subject.isEmpty ? "" : " \(subject)"): \(String(cString: zmq_strerror(code)))"
  }
}
