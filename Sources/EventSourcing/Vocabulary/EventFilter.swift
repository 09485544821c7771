/// Which events a reader wants.
public struct EventFilter: Sendable, Equatable {
  /// The stream's name begins with this; nil for every stream.
  public var streamPrefix: String?
  /// The event's type is one of these; empty for every type.
  public var types: Set<EventType>

  public init(streamPrefix: String? = nil, types: Set<EventType> = []) {
    self.streamPrefix = streamPrefix
    self.types = types
  }

  /// Lets every event through.
  public static let everything = EventFilter()

  /// Whether it lets every event through.
  public var isEverything: Bool { streamPrefix == nil && types.isEmpty }

  /// Whether it lets `event` through.
  public func matches(_ event: RecordedEvent) -> Bool {
    if let streamPrefix, !event.stream.description.utf8.starts(with: streamPrefix.utf8) {
      return false
    }
    return types.isEmpty || types.contains(event.type)
  }

  /// Whether it lets `event` through.
  public func matches(_ event: EventView) -> Bool {
    if let streamPrefix, !event.stream.hasPrefix(streamPrefix) { return false }
    // Filters name few types.
    return types.isEmpty || types.contains { event.type.isText($0.description) }
  }
}
