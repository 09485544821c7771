public import FastJSON

/// The rules of one kind of stream, as a value: pure decisions on a state that events build.
public protocol Aggregate: SnapshotCodable {
  associatedtype Command: CommandCodable
  associatedtype Event: EventCodable
  associatedtype Outcome: OutcomeEncodable

  static var category: StreamCategory { get }

  /// The state of a stream without events.
  init()

  /// What a command does to this state. No clock, input, output or randomness: all that it may
  /// know besides the state is in `context`.
  ///
  /// - Throws: why the command is refused; then nothing is written.
  func decide(
    _ command: Command, in context: DecisionContext
  ) throws(ServiceError) -> Decision<Event, Outcome>

  /// Takes in an event that happened. Never fails: an event that makes no sense here (which no
  /// version of `decide` gives) changes nothing.
  mutating func apply(_ event: Event)
}

/// What a command's sender is told besides that it worked.
public protocol OutcomeEncodable: Sendable, Equatable {
  /// Writes one JSON object.
  func write(to writer: inout JSONWriter)
}

/// What a decision may know besides the state.
public struct DecisionContext: Sendable {
  public let time: Timestamp
  public let command: CommandID

  public init(time: Timestamp, command: CommandID) {
    self.time = time
    self.command = command
  }
}

/// What a command leads to.
public struct Decision<Event: Sendable, Outcome: Sendable>: Sendable {
  /// To be written together, in this order; empty where the command changes nothing.
  public let events: [Event]
  public let outcome: Outcome
  /// The gesture that the events came from, `swipe` or `press`, for the events' meta.
  public let via: String?

  public init(_ events: [Event], outcome: Outcome, via: String? = nil) {
    self.events = events
    self.outcome = outcome
    self.via = via
  }
}
