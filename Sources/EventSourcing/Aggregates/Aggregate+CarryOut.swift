public import FastJSON

extension Aggregate {
  @inlinable
  public mutating func carryOut(
    _ incoming: IncomingCommand, in journal: inout StreamJournal, _ line: inout BatchLine
  ) throws(ServiceError) {
    let key = line.expect(incoming, in: journal)
    let command = try Command(name: incoming.name, data: try incoming.data.get())
    line.content.removeAll()
    line.content.value(command.name)
    command.writeData(to: &line.content)
    guard let admission = try line.admit(incoming, key, in: journal) else { return }
    let context = DecisionContext(
      time: line.time, command: incoming.id, stream: journal.stream, now: line.now,
      by: incoming.metadata.by)
    let decision: Decision<Event, Outcome>
    if let name = command.source {
      guard let source: Self = try line.takeSource(name) else { return }
      decision = try decide(command, on: source, in: context)
    } else {
      decision = try decide(command, in: context, beside: &journal.live)
    }
    line.outcome.removeAll()
    decision.outcome.write(to: &line.outcome)
    var count = 0
    switch decision.storage {
    case .none: break
    case .one(let event):
      count = 1
      begin(EventCause(command: incoming.id, undoes: decision.undoes))
      line.begin(journal)
      line.add(
        event.type, schema: event.schema, of: incoming, undoes: decision.undoes,
        via: decision.via, completing: admission, eventCount: 1
      ) { event.writeData(to: &$0) }
      apply(event)
    case .many(let events):
      count = events.count
      begin(EventCause(command: incoming.id, undoes: decision.undoes))
      line.begin(journal)
      for index in events.indices {
        let event = events[index]
        line.add(
          event.type, schema: event.schema, of: incoming, undoes: decision.undoes,
          via: decision.via, completing: index == count - 1 ? admission : nil, eventCount: count
        ) { event.writeData(to: &$0) }
        apply(event)
      }
    }
    line.finish(incoming, admission, eventCount: count, in: &journal)
  }
}
