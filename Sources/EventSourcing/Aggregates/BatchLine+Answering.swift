extension BatchLine {
  /// Refuses a command, in its turn.
  mutating func refuse(_ error: ServiceError, token: Int, id: CommandID, in journal: StreamJournal)
  {
    withAnswers(behind: journal) { $0.add(error, token: token, id: id) }
  }

  mutating func answerPending(
    _ command: IncomingCommand, _ content: ContentHash, at place: PendingCommands.Place,
    in journal: StreamJournal
  ) throws(ServiceError) {
    guard
      let earlier = answers(of: place.batch)
        .receipt(at: place.index, of: command.id, in: journal.stream),
      let written = earlier.receipt.written
    else {
      throw ServiceError(
        .unavailable, "another command under way has this one's hash; send it again")
    }
    try Self.check(written.content, content, journal.stream)
    if place.batch != journal.newestBatch { hasForeignPlaces = true }
    var repeated = earlier.receipt
    repeated.isDuplicate = true
    repeated.written = nil
    answer(command, repeated, earlier.outcome, in: journal)
  }

  func answers(of batch: UInt64) -> AnswerList {
    batch == open.number ? open.answers : underWay[Int(batch - underWay[0].number)].answers
  }

  mutating func answerRecorded(
    _ command: IncomingCommand, _ recorded: RecordedCommand, in journal: StreamJournal
  ) {
    answer(
      command,
      AnswerList.Receipt(
        stream: journal.stream, revision: recorded.revision, place: .durable(recorded.position),
        eventCount: recorded.eventCount, isDuplicate: true),
      recorded.outcome, in: journal)
  }

  private mutating func answer(
    _ command: IncomingCommand, _ receipt: AnswerList.Receipt, _ outcome: [UInt8],
    in journal: StreamJournal
  ) {
    outcome.withUnsafeBytes { outcome in
      withAnswers(behind: journal) {
        $0.add(receipt, outcome: outcome, token: command.token, id: command.id)
      }
    }
  }

  /// Whether a command's events are under way.
  func isPending(_ id: CommandID, in stream: StreamID) -> Bool {
    guard
      let place = pending.place(
        of: CommandKey(id, in: stream), newest: open.number)
    else { return false }
    return answers(of: place.batch).receipt(at: place.index, of: id, in: stream) != nil
  }
}
