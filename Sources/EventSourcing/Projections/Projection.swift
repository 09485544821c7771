/// A read model's builder: it takes events in log order and changes its model.
///
/// The model's rows and the checkpoint that says how far it has come are committed together, so a
/// projection never counts an event twice and never misses one.
public protocol Projection: Sendable {
  /// Where rows are kept, inside one transaction.
  associatedtype Model

  /// The view's name, for example `mailbox`.
  static var name: String { get }
  /// A new number means that the view is rebuilt from the log.
  static var version: UInt32 { get }

  /// Takes in one event, which is there only during the call.
  ///
  /// - Throws: where the event cannot be projected; the transaction is then rolled back.
  func project(_ event: EventView, into model: borrowing Model) throws(ProjectionError)
}

/// Why an event could not be projected.
public struct ProjectionError: Error, Sendable, Equatable, CustomStringConvertible {
  public let position: GlobalPosition?
  public let reason: String

  public init(position: GlobalPosition?, reason: String) {
    self.position = position
    self.reason = reason
  }

  public var description: String {
    position.map { "event \($0) cannot be projected: \(reason)" } ?? reason
  }
}
