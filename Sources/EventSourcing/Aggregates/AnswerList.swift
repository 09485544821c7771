internal import FastJSON

/// Answers in the order they are to be given, with their texts in one arena.
struct AnswerList {
  /// Where an event is: known, or in a batch under way.
  enum Place {
    case durable(GlobalPosition)
    case inBatch(UInt64, index: Int)
  }

  /// What a command that is sent again is compared with.
  struct Command {
    let key: CommandKey
    let content: ContentHash
  }

  /// A receipt before its place in a list.
  struct Receipt {
    let stream: StreamID
    let revision: Revision
    let place: Place
    let eventCount: Int
    var isDuplicate = false
    /// Of the command, where its events are in this list's batch for the first time; else nil.
    var written: Command?
  }

  /// One answer, its text elsewhere: there are tens of thousands of them, each written and read once.
  struct Entry {
    fileprivate let token: Int
    /// Index into ``errors``; −1 for a receipt.
    fileprivate var error: Int32 = -1
    /// Index into ``streams``.
    fileprivate var stream: Int32 = 0
    /// In ``texts``: the command's id, behind it the outcome.
    fileprivate let text: UInt32
    fileprivate let idLength: UInt8
    fileprivate var isDuplicate = false
    fileprivate var outcomeLength: UInt32 = 0
    fileprivate var eventCount: UInt32 = 0
    fileprivate var revision: UInt64 = 0
    /// 0 where the place is known.
    fileprivate var batch: UInt64 = 0
    /// A position, or an index in that batch.
    fileprivate var place: UInt64 = 0
    /// 0 where the command is not written in this list's batch for the first time.
    fileprivate var key: UInt64 = 0
    fileprivate var content: UInt64 = 0

    /// The command, where its events are in this list's batch for the first time.
    var written: Command? {
      key == 0 ? nil : Command(key: CommandKey(rawValue: key), content: .init(rawValue: content))
    }
  }

  private(set) var entries: [Entry] = []
  private var streams: [StreamID] = []
  private var errors: [ServiceError] = []
  private var texts = JSONWriter()

  var isEmpty: Bool { entries.isEmpty }
  /// What the ids and outcomes take. They stay far below the 4 GiB that ``Entry`` can point into: a
  /// batch is closed at some megabytes, and one command's outcome has a frame's size.
  var byteCount: Int { texts.count }

  /// Forgets all, keeps the memory.
  mutating func removeAll() {
    entries.removeAll(keepingCapacity: true)
    streams.removeAll(keepingCapacity: true)
    errors.removeAll(keepingCapacity: true)
    texts.removeAll()
  }

  // MARK: Adding

  mutating func add(
    _ receipt: Receipt, outcome: UnsafeRawBufferPointer, token: Int, id: CommandID
  ) {
    // Each run of answers of one stream has it once.
    if streams.last != receipt.stream { streams.append(receipt.stream) }
    var entry = Entry(token: token, text: UInt32(texts.count), idLength: addText(of: id))
    addText(outcome)
    entry.outcomeLength = UInt32(outcome.count)
    entry.stream = Int32(streams.count - 1)
    entry.isDuplicate = receipt.isDuplicate
    entry.eventCount = UInt32(receipt.eventCount)
    entry.revision = receipt.revision.rawValue
    switch receipt.place {
    case .durable(let position): entry.place = position.rawValue
    case .inBatch(let batch, let index):
      entry.batch = batch
      entry.place = UInt64(index)
    }
    if let written = receipt.written {
      entry.key = written.key.rawValue
      entry.content = written.content.rawValue
    }
    entries.append(entry)
  }

  mutating func add(_ error: ServiceError, token: Int, id: CommandID) {
    errors.append(error)
    entries.append(
      Entry(
        token: token, error: Int32(errors.count - 1), text: UInt32(texts.count),
        idLength: addText(of: id)))
  }

  private mutating func addText(of id: CommandID) -> UInt8 {
    id.withUTF8 { id in
      addText(UnsafeRawBufferPointer(id))
      return UInt8(id.count)
    }
  }

  private mutating func addText(_ text: UnsafeRawBufferPointer) {
    texts.beginDocument()
    texts.raw(text)
  }

  // MARK: Looking up

  /// A receipt that was added, and its outcome, where it is that of the command `id` of `stream`; nil
  /// where it is not.
  func receipt(
    at index: Int, of id: CommandID, in stream: StreamID
  ) -> (receipt: Receipt, outcome: [UInt8])? {
    let entry = entries[index]
    guard entry.error < 0, streams[Int(entry.stream)] == stream, hasID(id, entry) else {
      return nil
    }
    let place: Place =
      entry.batch == 0
      ? .durable(GlobalPosition(entry.place)) : .inBatch(entry.batch, index: Int(entry.place))
    return (
      Receipt(
        stream: stream, revision: Revision(entry.revision), place: place,
        eventCount: Int(entry.eventCount), written: entry.written),
      texts.withBytes { Array($0[entry.outcome]) }
    )
  }

  private func hasID(_ id: CommandID, _ entry: Entry) -> Bool {
    texts.withBytes { texts in
      id.withUTF8 { UnsafeRawBufferPointer($0).elementsEqual(texts[entry.id]) }
    }
  }

  /// Batch `number` is durable: what names its events from another batch's list is told where they
  /// are.
  mutating func settlePlaces(in number: UInt64, first: GlobalPosition) {
    for index in entries.indices where entries[index].batch == number {
      entries[index].place += first.rawValue
      entries[index].batch = 0
    }
  }

  // MARK: Giving

  /// Gives the answers, their batch being durable.
  ///
  /// - Parameter first: the position of the batch's first event.
  func give(first: GlobalPosition, _ give: (CommandAnswer) -> Void) {
    texts.withBytes { texts in
      for entry in entries {
        if entry.error >= 0 {
          self.give(errors[Int(entry.error)], to: entry, texts, give)
        } else {
          let position = entry.batch == 0 ? entry.place : first.rawValue + entry.place
          self.give(entry, at: GlobalPosition(position), texts, give)
        }
      }
    }
  }

  /// Gives the answers, their batch having failed. What the log had written before (of a command that
  /// was sent again) stays written, whatever the answer was to wait for.
  func give(afterFailure error: ServiceError, _ give: (CommandAnswer) -> Void) {
    texts.withBytes { texts in
      for entry in entries {
        if entry.error < 0, entry.isDuplicate, entry.batch == 0 {
          self.give(entry, at: GlobalPosition(entry.place), texts, give)
        } else {
          self.give(error, to: entry, texts, give)
        }
      }
    }
  }

  private func give(
    _ error: ServiceError, to entry: Entry, _ texts: UnsafeRawBufferPointer,
    _ give: (CommandAnswer) -> Void
  ) {
    let id = UnsafeRawBufferPointer(rebasing: texts[entry.id])
    give(CommandAnswer(token: entry.token, id: id, result: .failure(error)))
  }

  @inline(__always)
  private func give(
    _ entry: Entry, at position: GlobalPosition, _ texts: UnsafeRawBufferPointer,
    _ give: (CommandAnswer) -> Void
  ) {
    let receipt = ReceiptView(
      stream: streams[Int(entry.stream)], revision: Revision(entry.revision), position: position,
      eventCount: Int(entry.eventCount),
      outcome: UnsafeRawBufferPointer(rebasing: texts[entry.outcome]),
      isDuplicate: entry.isDuplicate)
    let id = UnsafeRawBufferPointer(rebasing: texts[entry.id])
    give(CommandAnswer(token: entry.token, id: id, result: .success(receipt)))
  }
}

extension AnswerList.Entry {
  fileprivate var id: Range<Int> { Int(text)..<Int(text) + Int(idLength) }
  fileprivate var outcome: Range<Int> { id.upperBound..<id.upperBound + Int(outcomeLength) }
}
