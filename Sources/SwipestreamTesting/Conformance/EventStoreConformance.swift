public import EventSourcing

/// What every engine behind the `EventStore` port must do, as checks with names.
///
/// It needs no test framework: a check throws a ``ConformanceFailure`` that says what was wrong.
/// Run each of ``ConformanceCheck/all`` on a store of its own:
///
/// ```swift
/// let conformance = EventStoreConformance { try MyStore() } close: { $0.close() }
/// for check in ConformanceCheck.all { try conformance.run(check) }
/// ```
public struct EventStoreConformance<Store: EventStore>: Sendable {
  private let makeStore: @Sendable () throws -> Store
  private let close: @Sendable (Store) -> Void
  private let horizon: Int?

  /// - Parameters:
  ///   - horizon: how many commands a store remembers; nil where it remembers all.
  ///   - makeStore: makes an empty store.
  ///   - close: ends a store.
  public init(
    horizon: Int? = nil, makeStore: @escaping @Sendable () throws -> Store,
    close: @escaping @Sendable (Store) -> Void
  ) {
    self.makeStore = makeStore
    self.close = close
    self.horizon = horizon
  }

  public func run(_ check: ConformanceCheck) throws {
    let store = try makeStore()
    defer { close(store) }
    try check.body(
      ConformanceSubject(
        store: store, horizon: horizon, close: { close(store) }, check: check.name))
  }
}

/// One rule of the `EventStore` port.
public struct ConformanceCheck: Sendable, CustomStringConvertible {
  public let name: String
  let body: @Sendable (ConformanceSubject) throws -> Void

  public var description: String { name }

  init(_ name: String, _ body: @escaping @Sendable (ConformanceSubject) throws -> Void) {
    self.name = name
    self.body = body
  }

  public static let all =
    appends + order + reads + visits + streams + commands + times + heads + redactions
}

/// How a store breaks a rule.
public struct ConformanceFailure: Error, CustomStringConvertible {
  public let check: String
  public let reason: String

  public var description: String { "\(check): \(reason)" }
}
