internal import EventSourcing

extension ConformanceCheck {
  static let appends = [
    ConformanceCheck("an empty store has nothing, and says so") { subject in
      let store = subject.store
      try subject.expect(store.head, is: .start, "the head")
      try subject.expect(try subject.everything().count, is: 0, "the number of events")
      let last = try store.read(before: GlobalPosition(.max), limit: ReadLimit(events: 1))
      try subject.expect(last.count, is: 0, "the number of events read backwards")
      try subject.expect(try store.revision(of: Names.inbox), is: .none, "a revision")
      try subject.expect(try subject.events(of: Names.inbox).count, is: 0, "a stream's length")
      let position = try store.position(at: Timestamp(microseconds: .max))
      try subject.expect(position, is: .start, "the position at the end of time")
      try subject.expect(store.logID, is: store.logID, "the log's id")
    },
    ConformanceCheck("events are read as they were appended, in order, from position 1") {
      subject in
      var batch = AppendBatch(at: 5)
      batch.part(Names.inbox, .noStream, [3, 0])
      batch.part(Names.todo, .any, [10])
      batch.part(Names.inbox, .exactly(Revision(2)), [1], command: Names.command("c"))
      let answers = try subject.append(batch)
      let first = AppendReceipt(first: GlobalPosition(1))
      try subject.expect(answers, is: [.success(first)], "the answer")
      let events = try subject.everything()
      try subject.expect(events.map(\.position.rawValue), is: [1, 2, 3, 4], "the positions")
      let streams = [Names.inbox, Names.inbox, Names.todo, Names.inbox]
      try subject.expect(events.map(\.stream), is: streams, "the streams")
      try subject.expect(events.map(\.revision.rawValue), is: [1, 2, 1, 3], "the revisions")
      try subject.expect(events.map(\.schema), is: [1, 2, 1, 1], "the schemas")
      let types: [EventType] = ["item.added", "item.edited", "item.added", "item.added"]
      try subject.expect(events.map(\.type), is: types, "the types")
      let bytes = batch.events.map { batch.bytes[$0.data] }
      try subject.expect(events.map(\.data), is: bytes, "the data")
      let metas = batch.events.map { batch.bytes[$0.meta] }
      try subject.expect(events.map(\.meta), is: metas, "the meta")
      let times = events.map { $0.time.microseconds }
      try subject.expect(times, is: [5, 5, 5, 5].map { $0 * 1_000_000 }, "the times")
      try subject.expect(subject.store.head, is: GlobalPosition(4), "the head")
    },
    ConformanceCheck("an unexpected revision refuses all of a batch, and uses up no position") {
      subject in
      try subject.append(.one(Names.inbox, [1, 1]))
      var second = AppendBatch()
      second.part(Names.todo, .noStream, [1])
      second.part(Names.inbox, .exactly(Revision(1)), [1])
      // The third builds on its own first part.
      var third = AppendBatch()
      third.part(Names.todo, .noStream, [1])
      third.part(Names.todo, .noStream, [1])
      var empty = AppendBatch()
      empty.begin(Names.inbox, expecting: .exactly(Revision(9)))
      let answers = try subject.append(
        .one(Names.inbox, [1], .noStream), second, third, empty,
        .one(Names.inbox, [1], .exactly(Revision(2))), .one(Names.todo, [1], .noStream))
      let expected: [ConformanceSubject.Answer] = [
        .failure(.conflict(Names.inbox, actual: Revision(2))),
        .failure(.conflict(Names.inbox, actual: Revision(2))),
        .failure(.conflict(Names.todo, actual: Revision(1))),
        .failure(.conflict(Names.inbox, actual: Revision(2))),
        .success(AppendReceipt(first: GlobalPosition(3))),
        .success(AppendReceipt(first: GlobalPosition(4))),
      ]
      try subject.expect(answers, is: expected, "the answers")
      try subject.expect(
        try subject.everything().map(\.stream),
        is: [Names.inbox, Names.inbox, Names.inbox, Names.todo], "the events' streams")
    },
    ConformanceCheck("a batch without events is answered, and changes nothing") { subject in
      let next = AppendReceipt(first: GlobalPosition(2))
      let answers = try subject.append(
        .one(Names.inbox, [1]), AppendBatch(), .one(Names.inbox, [1]))
      try subject.expect(answers[1...], is: [.success(next), .success(next)], "the answers")
      try subject.expect(try subject.everything().count, is: 2, "the number of events")
    },
    ConformanceCheck("large batches and large events are taken whole") { subject in
      let many = [Int](repeating: 8, count: 5_000)
      let answers = try subject.append(
        .one(Names.inbox, many), .one(Names.todo, [300_000, 20]), .one(Names.inbox, [1]))
      try subject.expect(
        answers, is: [1, 5001, 5003].map { .success(AppendReceipt(first: GlobalPosition($0))) },
        "the answers")
      let events = try subject.everything()
      try subject.expect(events.count, is: 5003, "the number of events")
      try subject.expect(events[5000].data.count, is: 300_011, "the large event's length")
      try subject.expect(
        try subject.store.revision(of: Names.inbox), is: Revision(5001), "the revision")
    },
    ConformanceCheck("statistics tell what is stored") { subject in
      let before = subject.store.statistics
      try subject.append(.one(Names.inbox, [1000, 1000]))
      let after = subject.store.statistics
      guard after.segments >= 1, after.bytes >= before.bytes + 2000 else {
        throw subject.fail("2000 bytes more took them from \(before) to \(after)")
      }
      try subject.expect(after.readOnlyReason, is: nil, "the reason for being read-only")
    },
    ConformanceCheck("a closed store refuses, behind what it had taken before") { subject in
      try subject.append(.one(Names.inbox, [1]))
      subject.close()
      let answers = try subject.append(.one(Names.inbox, [1]), AppendBatch())
      try subject.expect(answers, is: [.failure(.closed), .failure(.closed)], "the answers")
      try subject.expect(subject.store.head, is: GlobalPosition(1), "the head")
    },
  ]
}
