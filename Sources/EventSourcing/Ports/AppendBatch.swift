public import FastJSON

/// Events on their way into the log: several streams' appends that become durable together or not
/// at all, in one arena so that a batch of ten thousand costs a handful of allocations.
public struct AppendBatch: Sendable {
  /// One stream's part: `events` indexes ``AppendBatch/events``.
  public struct StreamAppend: Sendable {
    public let stream: StreamID
    public let expected: ExpectedRevision
    public internal(set) var events: Range<Int>
  }

  /// `data` and `meta` index the batch's bytes.
  public struct NewEvent: Sendable {
    public let type: EventType
    public let schema: UInt16
    /// On the last event of a command: the key to find the command by; else nil.
    public let command: CommandKey?
    public let data: Range<Int>
    public let meta: Range<Int>
  }

  /// When the events were decided; the log never goes back behind an earlier one.
  public let time: Timestamp
  public private(set) var streams: [StreamAppend] = []
  public private(set) var events: [NewEvent] = []
  private var arena: JSONWriter

  public init(time: Timestamp, capacity: Int = 4096) {
    self.time = time
    arena = JSONWriter(capacity: capacity)
  }

  /// A copy of what the events' `data` and `meta` index.
  public var bytes: [UInt8] { arena.bytes }
  /// How many bytes `data` and `meta` come to.
  public var byteCount: Int { arena.count }
  /// Whether it has no event.
  public var isEmpty: Bool { events.isEmpty }

  /// Calls `body` with what the events' `data` and `meta` index.
  @inline(__always)
  public func withBytes<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try arena.withBytes(body)
  }

  /// Begins the part of `stream`; what is added next is its.
  public mutating func begin(_ stream: StreamID, expecting expected: ExpectedRevision) {
    streams.append(
      StreamAppend(stream: stream, expected: expected, events: events.count..<events.count))
  }

  /// Adds an event to the stream begun last.
  ///
  /// - Precondition: ``begin(_:expecting:)`` was called.
  public mutating func add(
    _ type: EventType, schema: UInt16 = 1, command: CommandKey? = nil,
    data writeData: (inout JSONWriter) -> Void, meta writeMeta: (inout JSONWriter) -> Void
  ) {
    let start = arena.count
    arena.beginDocument()
    writeData(&arena)
    let middle = arena.count
    arena.beginDocument()
    writeMeta(&arena)
    events.append(
      NewEvent(
        type: type, schema: schema, command: command, data: start..<middle,
        meta: middle..<arena.count))
    let lower = streams[streams.count - 1].events.lowerBound
    streams[streams.count - 1].events = lower..<events.count
  }
}
