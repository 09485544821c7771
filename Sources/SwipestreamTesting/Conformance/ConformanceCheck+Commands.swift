internal import EventSourcing

extension ConformanceCheck {
  static let commands = [
    ConformanceCheck("a command is found by its id in its stream, and nowhere else") { subject in
      let id = Names.command("first")
      let other = Names.command("other")
      try subject.append(.one(Names.inbox, [1, 2], command: id), .one(Names.todo, [1]))
      let expected = RecordedCommand(
        id: id, content: ContentHash(rawValue: 7), revision: Revision(2),
        position: GlobalPosition(2), eventCount: 2, outcome: Array("{\"mail\":1}".utf8))
      try subject.expect(
        try subject.store.command(id, in: Names.inbox), is: expected, "the command")
      try subject.expect(try subject.store.command(id, in: Names.todo), is: nil, "elsewhere it")
      try subject.expect(
        try subject.store.command(other, in: Names.inbox), is: nil, "another command")
    },
    ConformanceCheck("a refused batch's command is not remembered") { subject in
      let id = Names.command("refused")
      try subject.append(.one(Names.inbox, [1], .exactly(Revision(3)), command: id))
      try subject.expect(try subject.store.command(id, in: Names.inbox), is: nil, "the command")
    },
    ConformanceCheck("of two commands with one id the newer counts") { subject in
      let id = Names.command("again")
      try subject.append(
        .one(Names.inbox, [1], command: id), .one(Names.inbox, [1, 1], command: id))
      try subject.expect(
        try subject.store.command(id, in: Names.inbox)?.position, is: GlobalPosition(3),
        "its position")
    },
    ConformanceCheck("a key that two commands share never answers one with the other") { subject in
      let wanted = Names.command("wanted")
      let key = CommandKey(wanted, in: Names.inbox)
      var sameStream = AppendBatch()
      sameStream.part(Names.inbox, .any, [1], command: Names.command("other"), key: key)
      var otherStream = AppendBatch()
      otherStream.part(Names.todo, .any, [1], command: wanted, key: key)
      for batch in [sameStream, otherStream] {
        try subject.append(batch)
        try subject.expect(
          try subject.store.command(wanted, in: Names.inbox), is: nil, "the command")
      }
      try subject.append(.one(Names.inbox, [1], command: wanted))
      try subject.expect(
        try subject.store.command(wanted, in: Names.inbox)?.position, is: GlobalPosition(3),
        "its position")
    },
    ConformanceCheck("the last commands are remembered, as many as promised") { subject in
      let count = (subject.horizon ?? 80) + 40
      let answers = try subject.append(
        (1...count).map { .one(Names.inbox, [1], command: Names.command("c\($0)")) })
      try subject.expect(answers.filter { $0.isFailure }.count, is: 0, "the number of refusals")
      for number in 1...count {
        let found = try subject.store.command(Names.command("c\(number)"), in: Names.inbox)
        let isRemembered = number > count - (subject.horizon ?? count)
        try subject.expect(
          found?.position, is: isRemembered ? GlobalPosition(UInt64(number)) : nil,
          "the position of command \(number)")
      }
    },
  ]
}

extension Result {
  fileprivate var isFailure: Bool { if case .failure = self { true } else { false } }
}
