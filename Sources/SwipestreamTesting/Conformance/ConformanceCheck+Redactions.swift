internal import EventSourcing

extension ConformanceCheck {
  static let redactions = [
    ConformanceCheck("a redaction replaces an event's text and nothing else") { subject in
      let id = Names.command("erased")
      try subject.append(
        .one(Names.inbox, [30, 40], command: id), .one(Names.todo, [50]),
        .one(Names.inbox, [60]))
      let before = try subject.everything()
      let chosen = [before[1], before[3]]
      let expected = before.map { chosen.contains($0) ? $0.blanked : $0 }
      // Twice is as good as once.
      for _ in 0..<2 {
        try subject.store.redact(chosen.map(\.redaction))
        try subject.expect(try subject.everything(), is: expected, "the events")
        let ofStream = try subject.store.read(
          Names.inbox, after: .none, limit: ReadLimit(events: 10))
        try subject.expect(
          ofStream, is: expected.filter { $0.stream == Names.inbox }, "the stream's events")
      }
      let command = try subject.store.command(id, in: Names.inbox)
      try subject.expect(command?.content, is: .erased, "the command's content")
      try subject.expect(command?.position, is: GlobalPosition(2), "the command's position")
      try subject.append(.one(Names.inbox, [1], .exactly(Revision(3))))
      try subject.expect(subject.store.head, is: GlobalPosition(5), "the head")
    },
    ConformanceCheck("a redaction of another length, or of no event, changes nothing") { subject in
      try subject.append(.one(Names.inbox, [30, 40]))
      let events = try subject.everything()
      let good = events[0].redaction
      let misfits = [
        Redaction(position: GlobalPosition(2), data: Array("{}".utf8), meta: good.meta),
        Redaction(position: GlobalPosition(3), data: good.data, meta: good.meta),
        Redaction(position: .start, data: good.data, meta: good.meta),
      ]
      for misfit in misfits {
        do throws(RedactionError) {
          try subject.store.redact([good, misfit])
          throw .closed
        } catch {
          try subject.expect(error, is: .unfit(misfit.position), "the refusal")
        }
        try subject.expect(try subject.everything(), is: events, "the events")
      }
    },
  ]
}

extension RecordedEvent {
  /// The event's text as spaces, its command's content forgotten.
  fileprivate var redaction: Redaction {
    let spaces = [UInt8](repeating: UInt8(ascii: " "), count: data.count - 2)
    return Redaction(
      position: position, data: [UInt8(ascii: "{")] + spaces + [UInt8(ascii: "}")],
      meta: EventMeta.erasingContent(meta))
  }

  fileprivate var blanked: RecordedEvent {
    RecordedEvent(
      position: position, stream: stream, revision: revision, type: type, schema: schema,
      time: time, data: redaction.data[...], meta: redaction.meta[...])
  }
}
