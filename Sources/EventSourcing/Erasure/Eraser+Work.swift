internal import ActorRuntime
internal import FastJSON

extension Eraser {
  /// Looks for purges that erase.
  ///
  /// - Returns: the next ones, nil where there are none up to the head; and how far it looked.
  func search(
    after position: GlobalPosition
  ) throws(ServiceError) -> (ErasureBatch?, GlobalPosition) {
    var batch = ErasureBatch()
    var position = position
    while true {
      let limit = ReadLimit(events: Self.eventsPerRead)
      let before = position
      var endsInErasure = false
      try reading { () throws(ReadError) in
        try store.visit(after: before, limit: limit) { event in
          position = event.position
          endsInErasure = take(event, into: &batch)
          return true
        }
      }
      if position == before { break }
      try checkIsWanted()
      // A bulk purge may go on in the next read.
      if !batch.isEmpty, !endsInErasure || batch.count >= Self.subjectsPerBatch { break }
    }
    return (batch.isEmpty ? nil : batch, position)
  }

  /// - Returns: whether the event asks for an erasure.
  private func take(_ event: EventView, into batch: inout ErasureBatch) -> Bool {
    // Hardly any event is a purge, and all are looked at.
    guard purges.contains(where: { event.type.elementsEqual($0) }) else { return false }
    let recorded = event.recorded
    guard let kind = erasable[recorded.stream.category],
      let subject = kind.subjectErased(by: recorded, parser: parser)
    else { return false }
    batch.add(subject, of: recorded, kind)
    return true
  }

  func erase(_ batch: inout ErasureBatch) async throws(ServiceError) {
    var last = GlobalPosition.start
    for part in batch.inOrder {
      batch.forgetReplaced(of: part.stream)
      try replaceText(of: part, in: &batch)
      last = part.position
    }
    let streams = Set(batch.parts.keys)
    for follower in followers { try await follower.forget(streams, upTo: last) }
    try await record(batch)
  }

  /// One pass over the stream, up to the purge.
  private func replaceText(
    of part: ErasureBatch.Part, in batch: inout ErasureBatch
  ) throws(ServiceError) {
    var revision = Revision.none
    while revision < part.revision {
      try checkIsWanted()
      let events = try reading { () throws(ReadError) in
        try store.read(part.stream, after: revision, limit: ReadLimit(events: 1000, bytes: 1 << 20))
      }
      guard let last = events.last else {
        throw ServiceError(.unavailable, "\(part.stream): its events after \(revision) are missing")
      }
      revision = last.revision
      let redactions = events.compactMap {
        part.events.redaction(of: $0, where: part.subjects.contains, parser: parser)
      }
      if redactions.isEmpty { continue }
      do throws(RedactionError) {
        try store.redact(redactions)
      } catch {
        throw ServiceError(.unavailable, "\(part.stream): \(error)")
      }
      batch.noteReplaced(redactions.map(\.position), of: part.stream)
    }
  }

  /// Appends the record of what was done; once that is durable, it need not be done again.
  private func record(_ batch: ErasureBatch) async throws(ServiceError) {
    var append = AppendBatch(time: Timestamp(microseconds: clock.microsecondsSinceEpoch))
    append.begin(ErasureRecord.stream, expecting: .any)
    for part in batch.inOrder { ErasureRecord.add(part, to: &append) }
    let count = append.events.count
    // A stream, unlike a continuation, also ends when this task is cancelled.
    let (answers, answer) = AsyncStream.makeStream(of: Result<AppendReceipt, AppendError>.self)
    store.append(append) { answer.yield($0) }
    switch await answers.first(where: { _ in true }) {
    case .success: show { $0.completed += count }
    case .failure(let error):
      throw ServiceError(.unavailable, "the record of an erasure was not written: \(error)")
    case nil: throw Self.stopping
    }
  }

  func reading<Value>(_ body: () throws(ReadError) -> Value) throws(ServiceError) -> Value {
    do throws(ReadError) {
      return try body()
    } catch {
      throw ServiceError(.unavailable, error.description)
    }
  }

  private func checkIsWanted() throws(ServiceError) {
    if Task.isCancelled { throw Self.stopping }
  }

  private static let stopping = ServiceError(.unavailable, "the service stops")
}
