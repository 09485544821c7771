internal import EventSourcing

/// The contents of an ``InMemoryEventStore``.
struct StoredEvents {
  private(set) var events: [RecordedEvent] = []
  /// Each stream's events as indices into `events`.
  private(set) var streams: [StreamID: [Int]] = [:]
  /// The last events of the commands with a key, as indices into `events`.
  private(set) var commands: [CommandKey: [Int]] = [:]
  private(set) var byteCount = 0
  var observers: [UInt64: @Sendable (GlobalPosition) -> Void] = [:]
  var lastObserver: UInt64 = 0
  var readFailure: ReadError?
  var readOnlyReason: String?
  var isClosed = false

  var head: GlobalPosition { GlobalPosition(UInt64(events.count)) }

  func checkReadable() throws(ReadError) {
    if let readFailure { throw readFailure }
  }

  func revision(of stream: StreamID) -> Revision {
    Revision(UInt64(streams[stream]?.count ?? 0))
  }

  mutating func append(_ batch: AppendBatch) -> Result<AppendReceipt, AppendError> {
    if isClosed { return .failure(.closed) }
    if let readOnlyReason { return .failure(.readOnly(reason: readOnlyReason)) }
    if let conflict = conflict(in: batch) { return .failure(conflict) }
    let first = head.advanced(by: 1)
    let time = max(batch.time, events.last?.time ?? batch.time)
    let bytes = batch.bytes
    for part in batch.streams {
      for event in batch.events[part.events] {
        record(event, of: part.stream, at: time, bytes: bytes)
      }
    }
    return .success(AppendReceipt(first: first))
  }

  /// A stream may be in a batch twice; then its second part builds on the first.
  private func conflict(in batch: AppendBatch) -> AppendError? {
    var added: [StreamID: Int] = [:]
    for part in batch.streams {
      let actual = revision(of: part.stream).advanced(by: added[part.stream, default: 0])
      guard part.expected.allows(actual) else { return .conflict(part.stream, actual: actual) }
      added[part.stream, default: 0] += part.events.count
    }
    return nil
  }

  private mutating func record(
    _ event: AppendBatch.NewEvent, of stream: StreamID, at time: Timestamp, bytes: [UInt8]
  ) {
    let index = events.count
    streams[stream, default: []].append(index)
    if let command = event.command { commands[command, default: []].append(index) }
    byteCount += event.data.count + event.meta.count
    events.append(
      RecordedEvent(
        position: head.advanced(by: 1), stream: stream, revision: revision(of: stream),
        type: event.type, schema: event.schema, time: time, data: bytes[event.data],
        meta: bytes[event.meta]))
  }

  mutating func redact(_ redactions: [Redaction]) throws(RedactionError) {
    if let readOnlyReason { throw .unwritten(reason: readOnlyReason) }
    for redaction in redactions {
      guard let index = index(of: redaction.position),
        events[index].data.count == redaction.data.count,
        events[index].meta.count == redaction.meta.count
      else { throw .unfit(redaction.position) }
    }
    for redaction in redactions {
      guard let index = index(of: redaction.position) else { continue }
      let old = events[index]
      events[index] = RecordedEvent(
        position: old.position, stream: old.stream, revision: old.revision, type: old.type,
        schema: old.schema, time: old.time, data: redaction.data[...], meta: redaction.meta[...])
    }
  }

  private func index(of position: GlobalPosition) -> Int? {
    events.indices.contains(Int(clamping: position.rawValue) - 1)
      ? Int(clamping: position.rawValue) - 1 : nil
  }

  func position(at time: Timestamp) -> GlobalPosition {
    var range = 0..<events.count
    while !range.isEmpty {
      let middle = range.lowerBound + range.count / 2
      range =
        events[middle].time <= time
        ? middle + 1..<range.upperBound : range.lowerBound..<middle
    }
    return GlobalPosition(UInt64(range.lowerBound))
  }
}
