public import EventSourcing

/// A question to a view.
public struct ViewQuery: Sendable {
  public static let defaultTimeout = 5000

  public var view: String
  /// Whose rows are asked for; the views `mailbox` and `list` need it.
  public var stream: StreamID?
  public var page: PageRequest
  /// The answer reflects at least this position.
  public var atLeast: GlobalPosition?
  /// How long to wait for `atLeast`, in milliseconds.
  public var timeout: Int

  public init(
    view: String, stream: StreamID?, page: PageRequest = PageRequest(),
    atLeast: GlobalPosition? = nil, timeout: Int = defaultTimeout
  ) {
    self.view = view
    self.stream = stream
    self.page = page
    self.atLeast = atLeast
    self.timeout = timeout
  }
}
