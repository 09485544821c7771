internal import ActorRuntime
internal import EventSourcing

extension ConformanceCheck {
  static let order = [
    ConformanceCheck("answers come in the order of the batches, refusals in their turn") {
      subject in
      let batches = (0..<200).map { index -> AppendBatch in
        .one(Names.inbox, [index % 30], index % 3 == 0 ? .noStream : .any)
      }
      // The subject checks the order.
      let answers = try subject.append(batches)
      let taken = answers.compactMap { try? $0.get().first.rawValue }
      try subject.expect(taken, is: Array(1...UInt64(taken.count)), "the positions")
      try subject.expect(taken.count, is: 134, "the number of batches taken")
    },
    ConformanceCheck("what is answered can be read at once") { subject in
      let seen = Monitor<[Bool]>([])
      let store = subject.store
      for _ in 0..<20 {
        store.append(.one(Names.inbox, [5])) { answer in
          let isVisible = (try? answer.get()).map { store.head >= $0.first } ?? false
          seen.change { $0.append(isVisible) }
        }
      }
      let all = try subject.wait(for: "the answers", seen) { $0.count == 20 ? $0 : nil }
      try subject.expect(
        all.filter { !$0 }.count, is: 0, "the number of batches answered too early")
    },
    ConformanceCheck("many writers and a reader that tails: it sees the log, contiguous, in order")
    {
      subject in
      try manyWriters(subject)
    },
  ]

  static let heads = [
    ConformanceCheck("observers are told how the head moves, until they end") { subject in
      let store = subject.store
      let first = Monitor<[UInt64]>([])
      let second = Monitor<[UInt64]>([])
      let observation = store.observeHead { head in first.change { $0.append(head.rawValue) } }
      let other = store.observeHead { head in second.change { $0.append(head.rawValue) } }
      try subject.append(.one(Names.inbox, [1, 1]))
      try subject.wait(for: "the head 2", first) { $0.last == 2 ? () : nil }
      // Neither moves the head.
      try subject.append(.one(Names.inbox, [1], .noStream), AppendBatch())
      try subject.append(.one(Names.inbox, [1]))
      try subject.wait(for: "the head 3", first) { $0.last == 3 ? () : nil }
      try subject.wait(for: "the head 3", second) { $0.last == 3 ? () : nil }
      store.cancel(observation)
      try subject.append(.one(Names.inbox, [1]))
      try subject.append(.one(Names.inbox, [1]))
      try subject.wait(for: "the head 5", second) { $0.last == 5 ? () : nil }
      store.cancel(other)
      try subject.expect(first.change { $0 }, is: [2, 3], "what the first one was told")
      let heads = second.change { $0 }
      try subject.expect(heads, is: heads.sorted(), "the order of the heads")
    }
  ]

  private static func manyWriters(_ subject: ConformanceSubject) throws {
    let writers = 8
    let each = 60
    let expected = UInt64(writers * each * 2)
    let store = subject.store
    let moved = Monitor(UInt64(0))
    let observation = store.observeHead { head in moved.change { $0 = head.rawValue } }
    let answered = Monitor(0)
    let threads = (0..<writers).map { writer in
      NamedThread("append") {
        for index in 0..<each {
          var batch = AppendBatch()
          batch.part(Names.stream("list/w\(writer)"), .exactly(Revision(UInt64(index))), [index])
          batch.part(Names.stream("list/s\(index % 7)"), .any, [index % 90])
          store.append(batch) { answer in
            if case .success = answer { answered.change { $0 += 1 } }
          }
        }
      }
    }
    var tailed: [RecordedEvent] = []
    while UInt64(tailed.count) < expected {
      let next = tailed.last?.position ?? .start
      try subject.wait(for: "a further event", moved) { $0 > next.rawValue ? () : nil }
      tailed += try store.read(after: next, limit: ReadLimit(events: 100))
    }
    for thread in threads { thread.join() }
    store.cancel(observation)
    try subject.wait(for: "the last answer", answered) { $0 == writers * each ? () : nil }
    try subject.expect(tailed.map(\.position.rawValue), is: Array(1...expected), "what was tailed")
    try subject.expect(try subject.everything(), is: tailed, "the log read afterwards")
    for name in ["list/w0", "list/w7", "list/s0", "list/s6"].map(Names.stream) {
      let own = tailed.filter { $0.stream == name }
      try subject.expect(
        own.map(\.revision.rawValue), is: Array(1...UInt64(own.count)), "\(name)'s revisions")
      try subject.expect(try subject.events(of: name), is: own, "\(name)")
    }
  }
}
