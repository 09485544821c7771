internal import EventSourcing

extension ConformanceCheck {
  static let reads = [
    ConformanceCheck("a read brings as many events as asked for, forwards and backwards") {
      subject in
      let store = subject.store
      try subject.append(.one(Names.inbox, [1, 2, 3]), .one(Names.todo, [4, 5]))
      for count in 1...6 {
        let limit = ReadLimit(events: count)
        for position in 0...7 as ClosedRange<UInt64> {
          let after = try store.read(after: GlobalPosition(position), limit: limit)
          let next = (1...5 as ClosedRange<UInt64>).filter { $0 > position }.prefix(count)
          try subject.expect(
            after.map(\.position.rawValue), is: Array(next), "what is after \(position)")
          let before = try store.read(before: GlobalPosition(position), limit: limit)
          let last = (1...5 as ClosedRange<UInt64>).filter { $0 < position }.reversed()
          try subject.expect(
            before.map(\.position.rawValue), is: Array(last.prefix(count)),
            "what is before \(position)")
        }
      }
      let end = GlobalPosition(.max)
      try subject.expect(
        try store.read(after: end, limit: ReadLimit(events: 1)).count, is: 0,
        "the number of events after the last possible position")
    },
    ConformanceCheck("a read ends by its bytes, but brings one event whatever its size") {
      subject in
      let store = subject.store
      let lengths = [5000, 10, 10, 10, 5000, 10]
      try subject.append(.one(Names.inbox, lengths))
      for bytes in [1, 100, 1000, 5050, 9000, 11_000, 100_000] {
        let limit = ReadLimit(events: 9, bytes: bytes)
        for found in [
          try store.read(after: .start, limit: limit),
          try store.read(before: GlobalPosition(.max), limit: limit),
          try store.read(Names.inbox, after: .none, limit: limit),
        ] {
          let size = found.reduce(0) { $0 + $1.data.count + $1.meta.count }
          guard !found.isEmpty, size <= bytes || found.count == 1 else {
            throw subject.fail(
              "\(found.count) events of \(size) bytes came for a limit of \(bytes)")
          }
          // Room for the envelopes aside, what fits comes.
          if bytes == 100_000 { try subject.expect(found.count, is: 6, "the number of events") }
          if bytes == 1 { try subject.expect(found.count, is: 1, "the number of events") }
        }
      }
    },
  ]

  static let streams = [
    ConformanceCheck("a stream by itself is what it is within the log") { subject in
      let names = (0..<5).map { Names.stream("list/s\($0)") }
      for index in 0..<60 {
        var batch = AppendBatch(at: Int64(index))
        batch.part(names[index % 5], .any, [index, 2 * index])
        batch.part(names[index * 7 % 5], .any, [30])
        try subject.append(batch)
      }
      let all = try subject.everything()
      for name in names {
        let own = all.filter { $0.stream == name }
        let revisions = Array(1...UInt64(own.count))
        try subject.expect(own.map(\.revision.rawValue), is: revisions, "\(name)'s revisions")
        try subject.expect(
          try subject.store.revision(of: name), is: Revision(UInt64(own.count)), "\(name)'s length")
        for from in [0, 1, 17, own.count - 1, own.count, own.count + 5] {
          let read = try subject.events(of: name, after: Revision(UInt64(from)))
          try subject.expect(read, is: Array(own.dropFirst(from)), "\(name) after \(from)")
        }
        let two = try subject.store.read(
          name, after: Revision(3), limit: ReadLimit(events: 2))
        try subject.expect(two, is: Array(own[3..<5]), "two events of \(name)")
      }
      let none = try subject.events(of: names[0], after: Revision(.max))
      try subject.expect(none.count, is: 0, "the number of events after the last revision")
      let unknown = Names.stream("list/unknown")
      try subject.expect(try subject.events(of: unknown).count, is: 0, "an unknown stream's length")
    }
  ]

  static let times = [
    ConformanceCheck("time never goes back, and positions are found by it") { subject in
      for seconds in [5, 3, 8, 8, 2, 9] as [Int64] {
        try subject.append(.one(Names.inbox, [1], at: seconds))
      }
      let times = try subject.everything().map { $0.time.microseconds / 1_000_000 }
      try subject.expect(times, is: [5, 5, 8, 8, 8, 9], "the times")
      let expected: [(Int64, UInt64)] = [
        (.min, 0), (4_999_999, 0), (5_000_000, 2), (7_999_999, 2), (8_000_000, 5), (9_000_000, 6),
        (.max, 6),
      ]
      for (time, position) in expected {
        try subject.expect(
          try subject.store.position(at: Timestamp(microseconds: time)),
          is: GlobalPosition(position), "the position at \(time)")
      }
    }
  ]
}
