/// A kind of work that falls due, by the name that it has in the agenda.
public struct WorkKind: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
  public let rawValue: String

  public init(rawValue: String) { self.rawValue = rawValue }

  public var description: String { rawValue }
}

/// Work of one stream that is due: what an event called for, and no later event took back.
public struct DueWork: Sendable, Equatable {
  public let kind: WorkKind
  public let stream: StreamID
  /// What in the stream it is about: a mail's number.
  public let subject: Int
  public let due: Timestamp
  /// The event that called for it. With the kind it names the work.
  public let cause: GlobalPosition
  /// A revision of the stream up to which the agenda has seen all events.
  public let revision: Revision
  /// The stream that the work goes to; nil where it stays in its own.
  public let target: StreamID?

  public init(
    kind: WorkKind, stream: StreamID, subject: Int, due: Timestamp, cause: GlobalPosition,
    revision: Revision, target: StreamID? = nil
  ) {
    self.kind = kind
    self.stream = stream
    self.subject = subject
    self.due = due
    self.cause = cause
    self.revision = revision
    self.target = target
  }
}

/// What an agenda has to say at a moment.
public struct AgendaPage: Sendable, Equatable {
  /// What is due, no more than was asked for.
  public var works: [DueWork]
  /// When something else falls due; nil where nothing will.
  public var next: Timestamp?

  public init(works: [DueWork] = [], next: Timestamp? = nil) {
    self.works = works
    self.next = next
  }
}

/// What is to be left out of a look at the agenda, as it failed a moment ago.
public struct AgendaExclusions: Sendable, Equatable {
  /// All work of one kind in one stream.
  public struct Group: Hashable, Sendable {
    public let kind: WorkKind
    public let stream: StreamID

    public init(kind: WorkKind, stream: StreamID) {
      self.kind = kind
      self.stream = stream
    }
  }

  /// One piece of work.
  public struct Work: Hashable, Sendable {
    public let kind: WorkKind
    public let cause: GlobalPosition

    public init(kind: WorkKind, cause: GlobalPosition) {
      self.kind = kind
      self.cause = cause
    }
  }

  public var groups: Set<Group> = []
  public var works: Set<Work> = []

  public init() {}
}

/// Where due work is looked up. It is derived from the log and holds nothing that the log does not
/// say: it can be thrown away and made again.
public protocol AgendaSource: Sendable {
  /// What is due at `time`, earliest streams first and no stream at the cost of all others, and
  /// reflects all that the log held when this was called.
  ///
  /// - Throws: `timeout` or `unavailable` where the agenda is behind the log, or cannot be read.
  func due(
    at time: Timestamp, limit: Int, without exclusions: AgendaExclusions
  ) async throws(ServiceError) -> AgendaPage

  /// Calls `body` when something was added to the agenda or taken from it; nil ends that. It must
  /// not block.
  func onAgendaChange(_ body: (@Sendable () -> Void)?)
}
