public import EventSourcing
public import FastJSON

/// A question to a view.
public struct ViewQuery: Sendable {
  /// In milliseconds.
  public static let timeoutRange = 0...60_000
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

  /// Reads a `query` request's members.
  ///
  /// - Parameter request: a JSON object, valid only during the call.
  /// - Throws: `invalid`, naming the member.
  public init(request: JSONValue) throws(ServiceError) {
    guard let view = request["view"]?.string else {
      throw ServiceError(.invalid, "'view' must be the name of a view")
    }
    self.init(
      view: view, stream: try Self.stream(request), page: try PageRequest(request: request))
    if let value = request["atLeast"], !value.isNull {
      guard let position = value.integer, position >= 0 else {
        throw ServiceError(.invalid, "'atLeast' must be a position")
      }
      atLeast = GlobalPosition(UInt64(position))
    }
    if let value = request["timeout"], !value.isNull {
      guard let timeout = value.integer, Self.timeoutRange.contains(timeout) else {
        throw ServiceError(.invalid, "'timeout' must be milliseconds from 0 to 60000")
      }
      self.timeout = timeout
    }
  }

  private static func stream(_ request: JSONValue) throws(ServiceError) -> StreamID? {
    guard let value = request["stream"], !value.isNull else { return nil }
    guard let text = value.string else {
      throw ServiceError(.invalid, "'stream' must be a stream's name")
    }
    do throws(StreamIDError) {
      return try StreamID(text)
    } catch {
      throw ServiceError(.invalid, "'stream' is \(error)")
    }
  }
}
