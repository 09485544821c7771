/// What lives beside an aggregate's state: made by commands and by time, kept in memory only, written
/// in no event and gone with the service. A row that is being dragged is of this kind.
///
/// It is a value with rules of its own, as the aggregate is; see ``Aggregate/decide(_:in:beside:)``.
public protocol LiveState: Sendable {
  /// Whether something is going on, so that the stream must stay in memory.
  var isOpen: Bool { get }

  /// When time alone changes it next, in milliseconds of the monotonic clock; nil where it does not,
  /// and nothing in it is worth keeping.
  var deadline: Int? { get }

  /// Takes in how late it is, in milliseconds of the monotonic clock.
  mutating func advance(to now: Int)

  /// Ends whatever is going on: events that it may rest on were not written.
  mutating func abandon()

  /// What others are to be shown of the changes since this was last called, in order.
  mutating func takePreviews() -> [LivePreview]
}

/// News of a live state for whoever wants to see it happen: best effort, stored nowhere.
public struct LivePreview: Sendable, Equatable {
  /// A JSON object, which does not name its stream.
  public let object: [UInt8]
  /// What to show instead where the events that were decided before it are not written; nil for
  /// nothing at all.
  public let ifUnwritten: [UInt8]?

  public init(_ object: [UInt8], ifUnwritten: [UInt8]?) {
    self.object = object
    self.ifUnwritten = ifUnwritten
  }
}
