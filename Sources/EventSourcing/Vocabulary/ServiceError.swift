/// The codes that clients see; each is stable once released.
public enum ErrorCode: String, Sendable, CaseIterable {
  case malformed
  case unknownOp = "unknown-op"
  case unknownCommand = "unknown-command"
  case invalid
  case notFound = "not-found"
  case conflict
  case rejected
  case anchorGone = "anchor-gone"
  case idReused = "id-reused"
  case tooLarge = "too-large"
  case overloaded
  case readOnly = "read-only"
  case cannotCalculate = "cannot-calculate"
  case unauthorized
  case forbidden
  case timeout
  case unavailable
}

/// What went wrong, for a client: a code, a sentence that says what and where, and its context.
///
/// The sentence holds no mail and no list text.
public struct ServiceError: Error, Sendable, Equatable, CustomStringConvertible {
  public let code: ErrorCode
  public let message: String
  /// The stream's present revision, with `conflict`.
  public let revision: Revision?
  /// The mails, items or sections that stand in the way, with `not-found` and `rejected`; at most
  /// ``idListLimit``.
  public let ids: [Int]

  /// How many ids an error names at most.
  public static let idListLimit = 1000

  public init(
    _ code: ErrorCode, _ message: String, revision: Revision? = nil, ids: some Sequence<Int> = []
  ) {
    self.code = code
    self.message = message
    self.revision = revision
    self.ids = Array(ids.prefix(Self.idListLimit))
  }

  public var description: String { "\(code.rawValue): \(message)" }
}
