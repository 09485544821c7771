internal import EventSourcing

extension ConformanceCheck {
  static let visits = [
    ConformanceCheck("a visit shows what a read brings, whatever the limit") { subject in
      let store = subject.store
      let command = Names.command("one")
      try subject.append(
        .one(Names.inbox, [5000, 10, 10], command: command), .one(Names.todo, [4, 5]),
        .one(Names.inbox, [10, 5000, 10]))
      let limits =
        (1...9).map { ReadLimit(events: $0) }
        + [1, 100, 1000, 5050, 9000, 100_000].map { ReadLimit(events: 9, bytes: $0) }
      for limit in limits {
        for from in 0...9 as ClosedRange<UInt64> {
          let position = GlobalPosition(from)
          try subject.expect(
            try visited { body throws(ReadError) in
              try store.visit(after: position, limit: limit, body)
            },
            is: try store.read(after: position, limit: limit), "what is shown after \(from)")
          let revision = Revision(from)
          try subject.expect(
            try visited { body throws(ReadError) in
              try store.visit(Names.inbox, after: revision, limit: limit, body)
            },
            is: try store.read(Names.inbox, after: revision, limit: limit),
            "what is shown of \(Names.inbox) after \(from)")
        }
      }
    },
    ConformanceCheck("a visit ends when it is told to, and may read the store meanwhile") {
      subject in
      let store = subject.store
      try subject.append(.one(Names.inbox, [1, 2, 3]), .one(Names.todo, [4, 5, 6]))
      let all = try subject.everything()
      for count in 1...6 {
        var seen: [RecordedEvent] = []
        var readMeanwhile: [RecordedEvent] = []
        try store.visit(after: .start, limit: ReadLimit(events: 100)) { event in
          readMeanwhile += (try? store.read(after: .start, limit: ReadLimit(events: 1))) ?? []
          try? store.visit(Names.todo, after: .none, limit: ReadLimit(events: 1)) { inner in
            readMeanwhile.append(inner.recorded)
            return true
          }
          seen.append(event.recorded)
          return seen.count < count
        }
        try subject.expect(seen, is: Array(all.prefix(count)), "what was shown")
        let inner = (0..<count).flatMap { _ in [all[0], all[3]] }
        try subject.expect(readMeanwhile, is: inner, "what was read meanwhile")
      }
    },
    ConformanceCheck("a visit shows what was erased as it is now") { subject in
      try subject.append(.one(Names.inbox, [30, 40]))
      let last = try subject.everything()[1]
      let data = Array(("{" + String(repeating: " ", count: last.data.count - 2) + "}").utf8)
      try subject.store.redact([
        Redaction(position: last.position, data: data, meta: Array(last.meta))
      ])
      let shown = try visited { body throws(ReadError) in
        try subject.store.visit(after: GlobalPosition(1), limit: ReadLimit(events: 9), body)
      }
      try subject.expect(shown.map { Array($0.data) }, is: [data], "the data shown")
      try subject.expect(shown, is: [try subject.everything()[1]], "the event shown")
    },
  ]

  private static func visited(
    _ visit: ((EventView) -> Bool) throws(ReadError) -> Void
  ) throws(ReadError) -> [RecordedEvent] {
    var events: [RecordedEvent] = []
    try visit { event in
      events.append(event.recorded)
      return true
    }
    return events
  }
}
