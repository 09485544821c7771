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

  /// What a command does that names another stream as its source.
  ///
  /// - Parameter source: that stream's state as its durable events make it.
  func decide(
    _ command: Command, on source: Self, in context: DecisionContext
  ) throws(ServiceError) -> Decision<Event, Outcome>

  /// As ``decide(_:in:)``, for an aggregate that has something beside its state: a command may read
  /// and change that, also where it is refused. Nil where nothing is there.
  func decide(
    _ command: Command, in context: DecisionContext, beside live: inout (any LiveState)?
  ) throws(ServiceError) -> Decision<Event, Outcome>

  /// Brings what is beside the state in line with it; called after each command while there is
  /// anything.
  func settle(_ live: inout (any LiveState)?)

  /// Takes in an event that happened. Never fails: an event that makes no sense here (which no
  /// version of `decide` gives) changes nothing.
  mutating func apply(_ event: Event)

  /// Whether the state keeps what commands did, and so has to be told of them with ``begin(_:)``.
  static var remembersCommands: Bool { get }

  /// Tells of which command the events are that are applied next; nil where nobody knows.
  mutating func begin(_ cause: EventCause?)

  /// Carries a command out: reads it, decides it, writes its events and its answer into `line`,
  /// and takes the events in. There is one implementation; it is a requirement so that each
  /// aggregate's module has it for its own types, as generic code would cost several times as much.
  ///
  /// - Throws: why the command is refused; then nothing is written, and `line` has no answer yet.
  mutating func carryOut(
    _ command: IncomingCommand, in journal: inout StreamJournal, _ line: inout BatchLine
  ) throws(ServiceError)

  /// Takes in an event that is shown where it lies: the step of every replay. There is nothing to
  /// write for it: as a requirement it is compiled once for each aggregate, with the event's
  /// decoding and `apply` in it.
  mutating func apply(_ event: EventView, _ parser: JSONParser) throws(EventCodingError)
}

extension Aggregate {
  public func decide(
    _ command: Command, on _: Self, in context: DecisionContext
  ) throws(ServiceError) -> Decision<Event, Outcome> {
    try decide(command, in: context)
  }

  @inlinable
  public func decide(
    _ command: Command, in context: DecisionContext, beside _: inout (any LiveState)?
  ) throws(ServiceError) -> Decision<Event, Outcome> {
    try decide(command, in: context)
  }

  public func settle(_: inout (any LiveState)?) {}

  public static var remembersCommands: Bool { false }

  public mutating func begin(_: EventCause?) {}

  @inlinable
  public mutating func apply(
    _ event: EventView, _ parser: JSONParser
  ) throws(EventCodingError) {
    let content = try Event(event, parser)
    if Self.remembersCommands { begin(EventCause(meta: event.meta, parser)) }
    apply(content)
  }

  /// Takes in a decision's events, as of `command`.
  public mutating func apply(_ decision: Decision<Event, Outcome>, of command: CommandID) {
    begin(EventCause(command: command, undoes: decision.undoes))
    for event in decision.events { apply(event) }
  }
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
  /// The stream whose state it is; nil where nobody cares.
  public let stream: StreamID?
  /// Milliseconds of a clock that only goes forwards; for what lives beside the state alone, as an
  /// event says nothing of it.
  public let now: Int
  /// Who asks, as the command's `meta` says.
  public let by: String?

  public init(
    time: Timestamp, command: CommandID, stream: StreamID? = nil, now: Int = 0, by: String? = nil
  ) {
    self.time = time
    self.command = command
    self.stream = stream
    self.now = now
    self.by = by
  }
}

/// What a command leads to.
public struct Decision<Event: Sendable, Outcome: Sendable>: Sendable {
  /// Most decisions are of one event or none, and need no array.
  @usableFromInline
  enum Storage: Sendable {
    case none
    case one(Event)
    case many([Event])
  }

  @usableFromInline let storage: Storage
  public let outcome: Outcome
  /// The gesture that the events came from, `swipe` or `press`, for the events' meta.
  public let via: String?
  /// At most one; an array, as an id in place would be copied with every decision.
  @usableFromInline let undone: [CommandID]

  /// The earlier command that the events take back, for their meta.
  @inlinable public var undoes: CommandID? { undone.first }

  @inlinable
  public init(
    _ events: [Event], outcome: Outcome, via: String? = nil, undoes: CommandID? = nil
  ) {
    storage = events.isEmpty ? .none : .many(events)
    self.outcome = outcome
    self.via = via
    undone = undoes.map { [$0] } ?? []
  }

  /// A decision of one event, or of none where it is nil.
  @inlinable
  public init(event: Event?, outcome: Outcome, via: String? = nil) {
    storage = if let event { .one(event) } else { .none }
    self.outcome = outcome
    self.via = via
    undone = []
  }

  /// How many events there are.
  @inlinable public var eventCount: Int {
    switch storage {
    case .none: 0
    case .one: 1
    case .many(let events): events.count
    }
  }

  /// To be written together, in this order; empty where the command changes nothing.
  public var events: [Event] {
    switch storage {
    case .none: []
    case .one(let event): [event]
    case .many(let events): events
    }
  }
}
