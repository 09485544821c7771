extension BatchLine {
  private static let spareLists = 4
  /// A list whose texts took more than this, for outcomes of bulk commands, is given back.
  private static let spareBytes = 4 << 20

  /// What the open batch's events and answers take so far.
  var byteCount: Int { open.events.byteCount + open.answers.byteCount }

  /// The open batch holds events of `slot`.
  mutating func addOwner(_ slot: AggregateSlot) {
    guard slot.listedInBatch != open.number else { return }
    slot.listedInBatch = open.number
    open.owners.append(slot)
  }

  /// Hands the open batch to the log, and opens another.
  mutating func handOver(
    _ completion: @escaping @Sendable (Result<AppendReceipt, AppendError>) -> Void
  ) {
    lastByteCount = open.events.byteCount
    let events = open.events
    let time = events.time
    // The answers stay; the log has the events now.
    open.events = AppendBatch(time: time, capacity: 0)
    underWay.append(open)
    open = Batch(
      number: open.number + 1, events: AppendBatch(time: time, capacity: 0),
      answers: spare.popLast() ?? AnswerList())
    store.append(events, completion: completion)
  }

  /// The oldest batch under way has come back: takes it out of the line.
  mutating func takeOldest() -> Batch { underWay.removeFirst() }

  /// A batch is settled, wherever its events are now.
  ///
  /// - Parameter first: the position of its first event; nil where it failed.
  mutating func forget(_ batch: Batch, first: GlobalPosition?) {
    for entry in batch.answers.entries {
      if let written = entry.written { pending.remove(written.key) }
    }
    if hasForeignPlaces, let first { settleForeignPlaces(in: batch.number, first: first) }
  }

  /// Takes back a list whose answers were given.
  mutating func reuse(_ answers: inout AnswerList) {
    guard spare.count < Self.spareLists, answers.byteCount <= Self.spareBytes else { return }
    var list = AnswerList()
    swap(&list, &answers)
    list.removeAll()
    spare.append(list)
  }

  private mutating func settleForeignPlaces(in number: UInt64, first: GlobalPosition) {
    for index in underWay.indices {
      underWay[index].answers.settlePlaces(in: number, first: first)
    }
    open.answers.settlePlaces(in: number, first: first)
    if underWay.isEmpty && open.answers.isEmpty { hasForeignPlaces = false }
  }

  /// How many events the open batch has.
  var eventCount: Int { open.events.events.count }

  /// Whether the open batch has no event.
  var isOpenEmpty: Bool { open.events.isEmpty }

  /// Whether there are answers that wait for no batch.
  var hasReady: Bool { !ready.isEmpty || !previews.isEmpty }

  /// Gives the answers that wait for no batch.
  mutating func giveReady(
    _ give: (CommandAnswer) -> Void, showing show: (StreamPreview) -> Void
  ) {
    ready.give(first: .start, give)
    previews.give(isWritten: true, show)
    previews.removeAll()
    if ready.byteCount > Self.spareBytes { ready = AnswerList() } else { ready.removeAll() }
  }
}
