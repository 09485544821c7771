public import EventSourcing
public import FastJSON

/// A request that was understood, but for `command`, which is read on its own path.
public enum Request: Sendable {
  case read(ReadRequest)
  case subscribe(SubscribeRequest)
  case credit(subscription: String, add: Int)
  case unsubscribe(subscription: String)
  case query(QueryRequest)
  case state(StateRequest)
  case result(stream: StreamID, command: CommandID)
  case rebuild(view: String?)
  case status
  case ping

  /// Reads a request's members.
  ///
  /// - Throws: `unknown-op`, or `invalid` with the member that is wrong.
  public init(op: String, _ value: JSONValue) throws(ServiceError) {
    let fields = try FieldReader(value, "a request")
    switch op {
    case "read": self = .read(try ReadRequest(fields))
    case "subscribe": self = .subscribe(try SubscribeRequest(fields))
    case "credit":
      self = .credit(
        subscription: try fields.requiredString("sub"),
        add: try fields.credit("add", default: nil))
    case "unsubscribe": self = .unsubscribe(subscription: try fields.requiredString("sub"))
    case "query": self = .query(try QueryRequest(fields))
    case "state": self = .state(try StateRequest(fields))
    case "result":
      guard let id = CommandID(try fields.requiredString("command")) else {
        throw FieldReader.wrong("command", "a command's id")
      }
      self = .result(stream: try fields.stream("stream"), command: id)
    case "rebuild": self = .rebuild(view: try fields.string("view"))
    case "status": self = .status
    case "ping": self = .ping
    default: throw ServiceError(.unknownOp, "there is no op of that name")
    }
  }
}

/// `read`: a page of the log.
public struct ReadRequest: Sendable {
  /// Where a page begins.
  public enum Start: Sendable, Equatable {
    case position(GlobalPosition)
    /// Behind the last event, for reading backward.
    case end
  }

  public let from: Start
  public let limit: Int
  public let filter: EventFilter
  public let isBackward: Bool

  init(_ fields: FieldReader) throws(ServiceError) {
    limit = try fields.integer("limit", in: 1...WireLimits.readEvents) ?? WireLimits.defaultPage
    filter = try fields.filter()
    switch try fields.string("direction") {
    case nil, "forward": isBackward = false
    case "backward": isBackward = true
    default: throw FieldReader.wrong("direction", "\"forward\" or \"backward\"")
    }
    guard let from = fields.value("from") else {
      self.from = isBackward ? .end : .position(.start)
      return
    }
    switch (from.string, isBackward) {
    case ("end", true): self.from = .end
    case ("start", false): self.from = .position(.start)
    default: self.from = .position(try fields.position("from"))
    }
  }
}

/// `subscribe`: the log from a position on, history first, then live.
public struct SubscribeRequest: Sendable {
  /// Where a subscription begins.
  public enum Start: Sendable, Equatable {
    case position(GlobalPosition)
    /// Only what comes from now on.
    case end
  }

  public let from: Start
  public let filter: EventFilter
  public let credit: Int
  /// The log that the position is of, as text; nil where the client does not care.
  public let log: String?
  /// Whether to show what goes on in the streams before it is an event.
  public let wantsPreviews: Bool

  init(_ fields: FieldReader) throws(ServiceError) {
    guard fields.value("group") == nil else {
      throw ServiceError(.invalid, "'group': this version has no consumer groups")
    }
    filter = try fields.filter()
    credit = try fields.credit("credit", default: 1000)
    log = try fields.string("log")
    wantsPreviews = try fields.bool("previews") ?? false
    switch fields.value("from")?.string {
    case "end": from = .end
    case "start": from = .position(.start)
    default: from = .position(try fields.position("from"))
    }
  }
}

/// `query`: a page of a view.
public struct QueryRequest: Sendable {
  public let view: String
  public let stream: StreamID
  public let filter: RowFilter
  public let limit: Int
  public let cursor: String?
  public let atLeast: GlobalPosition?
  public let timeoutMilliseconds: Int

  init(_ fields: FieldReader) throws(ServiceError) {
    view = try fields.requiredString("view")
    stream = try fields.stream("stream")
    filter = try RowFilter(fields)
    limit = try fields.integer("limit", in: 1...WireLimits.pageRows) ?? WireLimits.defaultPage
    cursor = try fields.string("cursor", atMost: WireLimits.cursorBytes)
    atLeast = fields.value("atLeast") == nil ? nil : try fields.position("atLeast")
    timeoutMilliseconds =
      try fields.integer("timeout", in: 0...WireLimits.queryWaitMilliseconds) ?? 5000
  }
}

/// Which of a mailbox's mails are asked for; what the names mean, the view knows.
public struct RowFilter: Sendable {
  /// A box's name.
  public let box: String?
  public let label: String?
  public let thread: Int?

  init(_ fields: FieldReader) throws(ServiceError) {
    box = try fields.string("in", atMost: WireLimits.nameBytes)
    label = try fields.string("label", atMost: WireLimits.nameBytes)
    thread = try fields.integer("thread", in: 1...Int.max)
  }
}

/// `state`: a stream's view as it was.
public struct StateRequest: Sendable {
  /// A moment in the log's history.
  public enum Instant: Sendable, Equatable {
    case position(GlobalPosition)
    case time(Timestamp)
  }

  public let stream: StreamID
  /// Nil for the view that has the name of the stream's category.
  public let view: String?
  public let at: Instant?
  public let filter: RowFilter
  public let limit: Int
  public let cursor: String?

  init(_ fields: FieldReader) throws(ServiceError) {
    stream = try fields.stream("stream")
    view = try fields.string("view")
    limit = try fields.integer("limit", in: 1...WireLimits.pageRows) ?? WireLimits.defaultPage
    cursor = try fields.string("cursor", atMost: WireLimits.cursorBytes)
    filter = try RowFilter(fields)
    if let text = fields.value("at")?.string {
      guard let time = Timestamp(text) else {
        throw FieldReader.wrong("at", "a position or an RFC 3339 time")
      }
      at = .time(time)
    } else {
      at = fields.value("at") == nil ? nil : .position(try fields.position("at"))
    }
  }
}

extension FieldReader {
  fileprivate func string(
    _ key: StaticString, atMost limit: Int
  ) throws(ServiceError) -> String? {
    let string = try string(key)
    guard (string?.utf8.count ?? 0) <= limit else {
      throw Self.wrong(key, "at most \(limit) bytes")
    }
    return string
  }

  fileprivate func position(_ key: StaticString) throws(ServiceError) -> GlobalPosition {
    guard let position = try integer(key, in: 0...Int.max) else {
      throw Self.wrong(key, "a position; it is missing")
    }
    return GlobalPosition(UInt64(position))
  }

  fileprivate func credit(
    _ key: StaticString, default count: Int?
  ) throws(ServiceError) -> Int {
    guard let credit = try integer(key, in: 1...WireLimits.credit) ?? count else {
      throw Self.wrong(key, "an integer from 1 to \(WireLimits.credit); it is missing")
    }
    return credit
  }

  fileprivate func filter() throws(ServiceError) -> EventFilter {
    var filter = EventFilter(
      streamPrefix: try string("stream", atMost: WireLimits.nameBytes))
    guard let types = value("types") else { return filter }
    guard let elements = types.elements else {
      throw Self.wrong("types", "an array of event type names")
    }
    for element in elements {
      guard let name = element.string, name.utf8.count <= WireLimits.nameBytes,
        filter.types.count < 100
      else {
        throw Self.wrong(
          "types",
          "an array of at most 100 event type names of at most \(WireLimits.nameBytes) bytes")
      }
      filter.types.insert(EventType(name))
    }
    return filter
  }
}
