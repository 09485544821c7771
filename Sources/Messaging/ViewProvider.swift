public import EventSourcing
public import Wire

/// The read models as the server needs them; they are another target's business.
public protocol ViewProvider: Sendable {
  /// A page of a view, as one JSON object.
  func query(_ request: QueryRequest) async throws(ServiceError) -> [UInt8]

  /// A stream's view as it was, as one JSON object.
  func state(_ request: StateRequest) async throws(ServiceError) -> [UInt8]

  /// Whether a command, which wrote events, has consequences that come after its receipt. Cheap.
  func hasConsequences(_ command: CommandReceipt) -> Bool

  /// What became of such a command so far, as one JSON object; its members are added to the answer to
  /// `result`.
  func consequences(of command: CommandReceipt) async throws(ServiceError) -> [UInt8]

  /// Builds a view anew (all of them where nil) and returns after the swap.
  func rebuild(_ view: String?) async throws(ServiceError)

  /// Each view's line in `status`; cheap, from any thread.
  var standings: [ViewStanding] { get }
}

extension ViewProvider {
  public func hasConsequences(_ command: CommandReceipt) -> Bool { false }
  public func consequences(of command: CommandReceipt) async throws(ServiceError) -> [UInt8] {
    Array("{}".utf8)
  }
}

/// A view's line in `status`.
public struct ViewStanding: Sendable, Equatable {
  public let name: String
  public let version: UInt32
  /// Everything up to here is in the view.
  public let position: GlobalPosition
  /// `live`, `catching-up`, `rebuilding`, `degraded` or `failed`.
  public let state: String
  /// Events that the view could not take in, or that wait behind one.
  public let parked: Int
  /// Why it fails or is degraded; nil while it does not.
  public let reason: String?

  public init(
    name: String, version: UInt32, position: GlobalPosition, state: String, parked: Int,
    reason: String?
  ) {
    self.name = name
    self.version = version
    self.position = position
    self.state = state
    self.parked = parked
    self.reason = reason
  }
}
