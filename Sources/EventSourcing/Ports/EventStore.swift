/// An append-only log of events: the port behind which an engine lives.
///
/// Nobody sees an event here before it is durable. Reads block; call them from a thread of your own.
public protocol EventStore: Sendable {
  /// The log's identity; positions mean something within one log only.
  var logID: LogID { get }

  /// The position of the last durable event.
  var head: GlobalPosition { get }

  /// Puts a batch in the line; batches become durable in the order of these calls. Never blocks.
  ///
  /// - Parameters:
  ///   - batch: becomes durable as a whole or not at all.
  ///   - completion: called once, in order: after the batch is durable, or once it is certain that
  ///     nothing of it was and will be written. The engine chooses the thread; it must not block.
  func append(
    _ batch: AppendBatch,
    completion: @escaping @Sendable (Result<AppendReceipt, AppendError>) -> Void)

  /// The events after `position`, oldest first.
  func read(
    after position: GlobalPosition, limit: ReadLimit
  ) throws(ReadError) -> [RecordedEvent]

  /// The events before `position`, newest first.
  func read(
    before position: GlobalPosition, limit: ReadLimit
  ) throws(ReadError) -> [RecordedEvent]

  /// One stream's events after `revision`, without a scan of the log.
  func read(
    _ stream: StreamID, after revision: Revision, limit: ReadLimit
  ) throws(ReadError) -> [RecordedEvent]

  /// Gives `body` the events that ``read(after:limit:)`` would bring, in the same order, each where
  /// it lies. What is found damaged or cannot be read ends the visit with an error behind the events
  /// before it, which were given.
  ///
  /// - Parameter body: called on the caller's thread; returns false to end the visit.
  func visit(
    after position: GlobalPosition, limit: ReadLimit, _ body: (EventView) -> Bool
  ) throws(ReadError)

  /// As ``visit(after:limit:_:)``, the events that ``read(_:after:limit:)`` would bring.
  func visit(
    _ stream: StreamID, after revision: Revision, limit: ReadLimit, _ body: (EventView) -> Bool
  ) throws(ReadError)

  /// How many durable events the stream has.
  func revision(of stream: StreamID) throws(ReadError) -> Revision

  /// The command as the log remembers it; nil where it wrote nothing, or beyond the horizon.
  func command(_ id: CommandID, in stream: StreamID) throws(ReadError) -> RecordedCommand?

  /// Whether ``command(_:in:)`` could find a command with this key. False says for certain that it
  /// would not; cheap, unlike that.
  func mayRemember(_ key: CommandKey) -> Bool

  /// A hint that ``mayRemember(_:)`` will soon be asked about the key; does nothing that shows.
  func prefetch(_ key: CommandKey)

  /// Overwrites the text of stored events for good: their `data` and `meta` become others of the
  /// same length, in every copy that the engine keeps, and durably. All else about them stays, and
  /// so does every other event. Meant for few events at a time: it holds them all in memory, and
  /// blocks for the disk.
  ///
  /// - Parameter redactions: in any order, one for a position at most.
  func redact(_ redactions: [Redaction]) throws(RedactionError)

  /// The position of the last event at or before `time`.
  func position(at time: Timestamp) throws(ReadError) -> GlobalPosition

  /// Calls `body` on a thread of the engine's whenever the head has moved; it must not block.
  func observeHead(_ body: @escaping @Sendable (GlobalPosition) -> Void) -> HeadObservation

  /// Ends an observation; one call of its body may still be under way.
  func cancel(_ observation: HeadObservation)

  /// Cheap, from any thread.
  var statistics: StoreStatistics { get }
}

/// For stores that have nothing better.
extension EventStore {
  public func mayRemember(_ key: CommandKey) -> Bool { true }

  public func prefetch(_ key: CommandKey) {}

  public func visit(
    after position: GlobalPosition, limit: ReadLimit, _ body: (EventView) -> Bool
  ) throws(ReadError) {
    for event in try read(after: position, limit: limit) where !event.withView(body) { return }
  }

  public func visit(
    _ stream: StreamID, after revision: Revision, limit: ReadLimit, _ body: (EventView) -> Bool
  ) throws(ReadError) {
    for event in try read(stream, after: revision, limit: limit) where !event.withView(body) {
      return
    }
  }
}

/// How much one read may bring: the first of the two limits that is met ends it, but one event is
/// brought whatever its size.
public struct ReadLimit: Sendable, Equatable {
  public let events: Int
  public let bytes: Int

  public init(events: Int, bytes: Int = 4 << 20) {
    precondition(events > 0 && bytes > 0)
    self.events = events
    self.bytes = bytes
  }
}

/// The batch's events have the positions from `first` on, in the order they were added.
public struct AppendReceipt: Sendable, Equatable {
  public let first: GlobalPosition

  public init(first: GlobalPosition) { self.first = first }
}

/// Why a batch was not written. In every case nothing of it was, and nothing will be.
public enum AppendError: Error, Sendable, Equatable {
  case conflict(StreamID, actual: Revision)
  /// The disk is full or failed; the log takes nothing until it works again.
  case readOnly(reason: String)
  /// Too much waits to be written.
  case overloaded
  /// The engine is stopped, or stops.
  case closed
}

/// Why events could not be read.
public enum ReadError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The stored bytes are not what was written. `place` names where, in the engine's terms.
  case damaged(place: String, positions: ClosedRange<UInt64>?, reason: String)
  /// The storage could not be read.
  case failed(reason: String)

  public var description: String {
    switch self {
    case .damaged(let place, let positions, let reason):
      "damaged log at \(place)"
        + (positions.map { ", positions \($0.lowerBound) to \($0.upperBound)" } ?? "")
        + ": \(reason)"
    case .failed(let reason): "the log cannot be read: \(reason)"
    }
  }
}

/// A token to end an observation with.
public struct HeadObservation: Sendable, Hashable {
  public let id: UInt64

  public init(id: UInt64) { self.id = id }
}

/// What an engine says of itself in `status`.
public struct StoreStatistics: Sendable, Equatable {
  public let segments: Int
  /// Bytes in use, without what is only reserved.
  public let bytes: Int
  /// Why the log takes no events now; nil while it does.
  public let readOnlyReason: String?
  /// What was found and done at the start, for people; nil where nothing was.
  public let recoveryNote: String?
  /// How many commands are found again when they are sent again.
  public let rememberedCommands: Int
  /// How far the background check of what is stored is; nil where the engine has none.
  public var scrub: ScrubStatus?

  public init(
    segments: Int, bytes: Int, readOnlyReason: String?, recoveryNote: String?,
    rememberedCommands: Int = 0
  ) {
    self.segments = segments
    self.bytes = bytes
    self.readOnlyReason = readOnlyReason
    self.recoveryNote = recoveryNote
    self.rememberedCommands = rememberedCommands
  }
}
