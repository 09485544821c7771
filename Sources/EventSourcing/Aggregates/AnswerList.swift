internal import FastJSON

/// Answers in the order they are to be given, with their texts in one arena.
struct AnswerList {
  /// Where an event is: known, or in a batch under way.
  enum Place {
    case durable(GlobalPosition)
    case inBatch(UInt64, index: Int)
  }

  struct Receipt {
    /// Index into ``streams``.
    let stream: Int
    let revision: Revision
    var place: Place
    let eventCount: Int
    /// In ``texts``.
    let outcome: Range<Int>
    let isDuplicate: Bool
    /// Of the command, where its events are in this list's batch for the first time; else nil.
    let written: Command?
    /// Whether the log had the command before: that it has it stays true, whatever fails now.
    var isRecorded = false
  }

  /// What a command that is sent again is compared with.
  struct Command {
    let key: CommandKey
    let content: ContentHash
  }

  enum Content {
    case receipt(Receipt)
    /// Index into ``errors``.
    case error(Int)
  }

  struct Entry {
    let token: Int
    let id: CommandID
    var content: Content
  }

  private(set) var entries: [Entry] = []
  private(set) var streams: [StreamID] = []
  private var errors: [ServiceError] = []
  private var texts = JSONWriter()

  var isEmpty: Bool { entries.isEmpty }

  /// Forgets all, keeps the memory.
  mutating func removeAll() {
    entries.removeAll(keepingCapacity: true)
    streams.removeAll(keepingCapacity: true)
    errors.removeAll(keepingCapacity: true)
    texts.removeAll()
  }

  /// Where `stream` is among the list's streams; each run of answers of one stream has it once.
  mutating func index(of stream: StreamID) -> Int {
    if streams.last != stream { streams.append(stream) }
    return streams.count - 1
  }

  mutating func addText(_ text: UnsafeRawBufferPointer) -> Range<Int> {
    let start = texts.count
    texts.beginDocument()
    texts.raw(text)
    return start..<texts.count
  }

  mutating func add(_ receipt: Receipt, token: Int, id: CommandID) {
    entries.append(Entry(token: token, id: id, content: .receipt(receipt)))
  }

  mutating func add(_ error: ServiceError, token: Int, id: CommandID) {
    errors.append(error)
    entries.append(Entry(token: token, id: id, content: .error(errors.count - 1)))
  }

  /// The receipt's outcome, as a copy.
  func outcome(of receipt: Receipt) -> [UInt8] { texts.withBytes { Array($0[receipt.outcome]) } }

  /// Batch `number` is durable: what names its events from another batch's list is told where they
  /// are.
  mutating func settlePlaces(in number: UInt64, first: GlobalPosition) {
    for index in entries.indices {
      guard case .receipt(var receipt) = entries[index].content,
        case .inBatch(number, let event) = receipt.place
      else { continue }
      receipt.place = .durable(first.advanced(by: event))
      entries[index].content = .receipt(receipt)
    }
  }

  // MARK: Giving

  /// Gives the answers, their batch being durable.
  ///
  /// - Parameter first: the position of the batch's first event.
  func give(first: GlobalPosition, _ give: (CommandAnswer) -> Void) {
    texts.withBytes { texts in
      for entry in entries {
        switch entry.content {
        case .receipt(let receipt):
          give(answer(entry, receipt, position(receipt.place, first: first), texts))
        case .error(let index): self.give(errors[index], to: entry, give)
        }
      }
    }
  }

  /// Gives the answers, their batch having failed. What the log had written before stays written,
  /// whatever the command sent again was to wait for.
  func give(afterFailure error: ServiceError, _ give: (CommandAnswer) -> Void) {
    texts.withBytes { texts in
      for entry in entries {
        if case .receipt(let receipt) = entry.content,
          receipt.isRecorded || receipt.isDuplicate, case .durable(let position) = receipt.place
        {
          give(answer(entry, receipt, position, texts))
        } else {
          self.give(error, to: entry, give)
        }
      }
    }
  }

  private func give(_ error: ServiceError, to entry: Entry, _ give: (CommandAnswer) -> Void) {
    give(CommandAnswer(token: entry.token, id: entry.id, result: .failure(error)))
  }

  private func position(_ place: Place, first: GlobalPosition) -> GlobalPosition {
    switch place {
    case .durable(let position): position
    case .inBatch(_, let index): first.advanced(by: index)
    }
  }

  @inline(__always)
  private func answer(
    _ entry: Entry, _ receipt: Receipt, _ position: GlobalPosition, _ texts: UnsafeRawBufferPointer
  ) -> CommandAnswer {
    CommandAnswer(
      token: entry.token, id: entry.id,
      result: .success(
        ReceiptView(
          stream: streams[receipt.stream], revision: receipt.revision, position: position,
          eventCount: receipt.eventCount,
          outcome: UnsafeRawBufferPointer(rebasing: texts[receipt.outcome]),
          isDuplicate: receipt.isDuplicate)))
  }
}
