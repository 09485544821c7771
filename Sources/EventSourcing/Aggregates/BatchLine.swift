internal import ActorRuntime
internal import Digests
public import FastJSON

/// One shard's commands between their decision and their answer: the batch that is being filled,
/// those that the log has not brought back yet, and what can be answered already.
///
/// None of it is generic, and none of it is an aggregate's: an aggregate writes what it decides
/// straight into it, through ``Aggregate/carryOut(_:in:_:)``.
public struct BatchLine {
  /// Commands that were decided together.
  struct Batch {
    let number: UInt64
    var events: AppendBatch
    var answers: AnswerList
    /// Those that wait for the batch.
    var previews = WaitingPreviews()
    /// Whose events it holds, each once.
    var owners: [AggregateSlot] = []
  }

  let store: any EventStore
  private let clock: any WallClock
  private let monotonic: any MonotonicClock
  var open: Batch
  var underWay: [Batch] = []
  var pending = PendingCommands()
  /// Answers that wait for no batch.
  var ready = AnswerList()
  /// Lists that can be used again.
  var spare: [AnswerList] = []
  /// Whether an answer names an event of another batch than the one that it waits for.
  var hasForeignPlaces = false
  /// Previews that wait for no batch.
  var previews = WaitingPreviews()
  /// The streams whose live state was touched since the shard last looked.
  var liveStreams: [StreamID] = []
  /// When the commands of the turn are decided, in milliseconds of the monotonic clock.
  public private(set) var now = 0
  private var isTimeKnown = false
  var lastByteCount = 0
  /// The state of another stream, for the command that is decided next.
  var source: Result<any Sendable, ServiceError>?
  /// The stream whose state the command that was just to be decided has to wait for.
  var neededSource: StreamID?
  /// A command's canonical form.
  public var content = JSONWriter()
  /// A command's outcome.
  public var outcome = JSONWriter()

  init(store: any EventStore, clock: any WallClock, monotonic: any MonotonicClock) {
    self.store = store
    self.clock = clock
    self.monotonic = monotonic
    open = Batch(
      number: 1, events: AppendBatch(time: Timestamp(microseconds: 0)), answers: AnswerList())
  }

  // MARK: Deciding

  /// When the commands of the open batch are decided.
  public var time: Timestamp { open.events.time }

  /// To be called before a turn's first decision: an empty batch is of now.
  mutating func beginTurn() {
    guard !isTimeKnown else { return }
    isTimeKnown = true
    now = monotonic.milliseconds
    guard open.events.isEmpty else { return }
    let room = max(256, min(lastByteCount + lastByteCount / 4, 4 << 20))
    open.events = AppendBatch(
      time: Timestamp(microseconds: clock.microsecondsSinceEpoch), capacity: room)
  }

  /// The turn is over; the next one has a time of its own.
  mutating func endTurn() { isTimeKnown = false }

  /// The key of a command that ``admit(_:_:in:)`` will be asked about, once its content is read.
  public func expect(_ command: IncomingCommand, in journal: StreamJournal) -> CommandKey {
    let key = CommandKey(command.id, in: journal.stream)
    pending.prefetch(key)
    store.prefetch(key)
    return key
  }

  /// Looks whether the command whose canonical form is in ``content`` is to be decided.
  ///
  /// - Returns: what to record it with; nil where it was carried out before, and is answered so.
  /// - Throws: why it is refused.
  public mutating func admit(
    _ command: IncomingCommand, _ key: CommandKey, in journal: StreamJournal
  ) throws(ServiceError) -> Admission? {
    let hash = content.withBytes { ContentHash(of: Fingerprint(of: $0)) }
    if let place = pending.place(of: key, newest: open.number) {
      try answerPending(command, hash, at: place, in: journal)
      return nil
    }
    if store.mayRemember(key), let earlier = try recorded(command.id, journal.stream) {
      try Self.check(earlier.content, hash, journal.stream)
      answerRecorded(command, earlier, in: journal)
      return nil
    }
    if let expected = command.expected, expected != journal.revision {
      throw ServiceError(
        .conflict, "\(journal.stream) is at revision \(journal.revision), not \(expected)",
        revision: journal.revision)
    }
    return Admission(key: key, content: hash)
  }

  /// What an admitted command is known by.
  public struct Admission {
    let key: CommandKey
    let content: ContentHash
  }

  private func recorded(
    _ id: CommandID, _ stream: StreamID
  ) throws(ServiceError) -> RecordedCommand? {
    do throws(ReadError) {
      return try store.command(id, in: stream)
    } catch {
      throw ServiceError(.unavailable, "\(stream): \(error)")
    }
  }

  static func check(
    _ earlier: ContentHash, _ now: ContentHash, _ stream: StreamID
  ) throws(ServiceError) {
    // Of an erased text nothing is left to compare with; the id has to do.
    guard earlier == now || earlier == .erased else {
      throw ServiceError(.idReused, "this id was used for another command to \(stream)")
    }
  }

  // MARK: Recording

  /// Begins the events of one decision.
  public mutating func begin(_ journal: StreamJournal) {
    if open.events.streams.last?.stream == journal.stream { return }
    open.events.begin(
      journal.stream,
      expecting: journal.revision == .none ? .noStream : .exactly(journal.revision))
  }

  /// Adds an event of the decision.
  ///
  /// - Parameter completing: how the command is known, with its last event only.
  public mutating func add(
    _ type: EventType, schema: UInt16, of command: IncomingCommand, undoes: CommandID?,
    via: String?, completing admission: Admission?, eventCount: Int,
    data: (inout JSONWriter) -> Void
  ) {
    Self.add(
      to: &open.events, type, schema: schema, of: command, undoes: undoes, via: via,
      completing: admission, eventCount: eventCount, outcome: outcome, data: data)
  }

  private static func add(
    to events: inout AppendBatch, _ type: EventType, schema: UInt16, of command: IncomingCommand,
    undoes: CommandID?, via: String?, completing admission: Admission?, eventCount: Int,
    outcome: JSONWriter, data: (inout JSONWriter) -> Void
  ) {
    events.add(type, schema: schema, command: admission?.key, data: data) { writer in
      guard let admission else {
        return EventMeta.write(
          command: command.id, undoes: undoes, via: via, metadata: command.metadata,
          completion: nil, to: &writer)
      }
      outcome.withBytes {
        EventMeta.writeLast(
          command: command.id, undoes: undoes, via: via, metadata: command.metadata,
          content: admission.content, eventCount: eventCount, outcome: $0, to: &writer)
      }
    }
  }

  /// Ends a decision of `eventCount` events, whose outcome is in ``outcome``: its answer waits for
  /// them, or for those that it was decided on.
  public mutating func finish(
    _ command: IncomingCommand, _ admission: Admission, eventCount: Int,
    in journal: inout StreamJournal
  ) {
    if eventCount > 0 {
      journal.advance(by: eventCount, in: open.number, last: open.events.events.count - 1)
      pending.insert(
        admission.key, .init(batch: open.number, index: open.answers.entries.count))
    }
    var receipt = AnswerList.Receipt(
      stream: journal.stream, revision: journal.revision, place: journal.lastEvent,
      eventCount: eventCount)
    if eventCount > 0 { receipt.written = .init(key: admission.key, content: admission.content) }
    if journal.newestBatch == open.number {
      Self.add(receipt, of: command, outcome: outcome, to: &open.answers)
    } else {
      let outcome = outcome
      withAnswers(behind: journal) { Self.add(receipt, of: command, outcome: outcome, to: &$0) }
    }
  }

  private static func add(
    _ receipt: AnswerList.Receipt, of command: IncomingCommand, outcome: JSONWriter,
    to answers: inout AnswerList
  ) {
    outcome.withBytes {
      answers.add(receipt, outcome: $0, token: command.token, id: command.id)
    }
  }

  /// The answers that wait for the newest batch with events of the stream, or for none.
  mutating func withAnswers(
    behind journal: StreamJournal, _ body: (inout AnswerList) -> Void
  ) {
    if journal.newestBatch == 0 {
      body(&ready)
    } else if journal.newestBatch == open.number {
      body(&open.answers)
    } else {
      body(&underWay[Int(journal.newestBatch - underWay[0].number)].answers)
    }
  }
}
