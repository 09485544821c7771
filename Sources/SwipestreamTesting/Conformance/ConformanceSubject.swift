internal import ActorRuntime
internal import EventSourcing
internal import FastJSON

/// A store under check, and what every check needs.
struct ConformanceSubject: Sendable {
  typealias Answer = Result<AppendReceipt, AppendError>

  let store: any EventStore
  let horizon: Int?
  let close: @Sendable () -> Void
  let check: String

  /// Far more than any answer takes; only a store that never answers is told by it.
  private static let patienceMilliseconds = 60_000

  func fail(_ reason: String) -> ConformanceFailure {
    ConformanceFailure(check: check, reason: reason)
  }

  func expect<Value: Equatable>(_ value: Value, is expected: Value, _ what: String) throws {
    if value != expected { throw fail("\(what) is \(value), not \(expected)") }
  }

  /// Appends batches at once, and waits for their answers, which come in the order of the batches.
  @discardableResult
  func append(_ batches: AppendBatch...) throws -> [Answer] { try append(batches) }

  func append(_ batches: [AppendBatch]) throws -> [Answer] {
    let answers = Monitor<[(Int, Answer)]>([])
    for (index, batch) in batches.enumerated() {
      store.append(batch) { answer in answers.change { $0.append((index, answer)) } }
    }
    let all = answers.wait(milliseconds: Self.patienceMilliseconds) {
      $0.count >= batches.count ? $0 : nil
    }
    guard let all else { throw fail("not all batches were answered") }
    try expect(all.map(\.0), is: Array(batches.indices), "the order of the answers")
    return all.map(\.1)
  }

  func wait<Value, Result>(
    for what: String, _ monitor: Monitor<Value>, until body: (inout Value) -> Result?
  ) throws -> Result {
    guard let result = monitor.wait(milliseconds: Self.patienceMilliseconds, until: body) else {
      throw fail("\(what) did not come")
    }
    return result
  }

  func everything() throws -> [RecordedEvent] {
    var events: [RecordedEvent] = []
    while true {
      let after = events.last?.position ?? .start
      let more = try store.read(after: after, limit: ReadLimit(events: 1000))
      if more.isEmpty { return events }
      events += more
    }
  }

  /// The events of a stream by its own index.
  func events(of stream: StreamID, after revision: Revision = .none) throws -> [RecordedEvent] {
    try store.read(stream, after: revision, limit: ReadLimit(events: 100_000, bytes: 1 << 30))
  }
}

extension AppendBatch {
  /// - Parameter at: the time in seconds.
  init(at seconds: Int64 = 1) {
    self.init(time: Timestamp(microseconds: seconds * 1_000_000))
  }

  /// Adds a stream's part.
  ///
  /// - Parameters:
  ///   - lengths: of the events' texts.
  ///   - command: whose last event the last one is.
  ///   - key: to find the command by, where it is not the right one.
  mutating func part(
    _ stream: StreamID, _ expected: ExpectedRevision, _ lengths: [Int], command: CommandID? = nil,
    key: CommandKey? = nil
  ) {
    begin(stream, expecting: expected)
    for (index, length) in lengths.enumerated() {
      let isLast = index == lengths.count - 1
      let last = isLast ? command : nil
      add(
        index % 2 == 0 ? "item.added" : "item.edited", schema: UInt16(1 + index % 3),
        command: last.map { key ?? CommandKey($0, in: stream) },
        data: { $0.raw(Array("{\"text\":\"\(String(repeating: "x", count: length))\"}".utf8)) },
        meta: { writer in
          guard let last else { return writer.raw(Array("{}".utf8)) }
          EventMeta.write(
            command: last, via: nil, metadata: CommandMetadata(),
            completion: EventMeta.Completion(
              content: ContentHash(rawValue: 7), eventCount: lengths.count,
              outcome: Array("{\"mail\":1}".utf8)), to: &writer)
        })
    }
  }

  static func one(
    _ stream: StreamID, _ lengths: [Int], _ expected: ExpectedRevision = .any,
    command: CommandID? = nil, at seconds: Int64 = 1
  ) -> AppendBatch {
    var batch = AppendBatch(at: seconds)
    batch.part(stream, expected, lengths, command: command)
    return batch
  }
}

/// Names that the checks use.
enum Names {
  static let inbox = stream("mailbox/inbox")
  static let todo = stream("list/todo")

  static func stream(_ text: String) -> StreamID {
    do { return try StreamID(text) } catch { preconditionFailure("\(error)") }
  }

  static func command(_ text: String) -> CommandID {
    guard let id = CommandID(text) else { preconditionFailure("no command id: \(text)") }
    return id
  }
}
