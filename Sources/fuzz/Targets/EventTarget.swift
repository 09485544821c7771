internal import Domain
internal import EventSourcing
internal import FastJSON

extension FuzzTarget {
  /// A history, one event a line: its type, a space, its data. Each is decoded and applied.
  static let events = FuzzTarget(name: "events", seeds: eventSeeds) { bytes in
    let parser = JSONParser()
    defer { withExtendedLifetime(parser) {} }
    var mailbox = Mailbox()
    var list = ItemList()
    for line in bytes.split(separator: UInt8(ascii: "\n")) {
      let parts = line.split(separator: UInt8(ascii: " "), maxSplits: 1)
      guard parts.count == 2 else { continue }
      let type = EventType(String(decoding: parts[0], as: UTF8.self))
      guard let data = try? parser.parse(parts[1]) else {
        Events.checkQuick(nil as MailboxEvent?, type, parts[1])
        Events.checkQuick(nil as ListEvent?, type, parts[1])
        continue
      }
      Events.checkQuick(try? MailboxEvent(type: type, schema: 1, data: data), type, parts[1])
      Events.checkQuick(try? ListEvent(type: type, schema: 1, data: data), type, parts[1])
      if let event = try? MailboxEvent(type: type, schema: 1, data: data) {
        mailbox.apply(event)
        Events.check(event, parser)
      } else if let event = try? ListEvent(type: type, schema: 1, data: data) {
        list.apply(event)
        Events.check(event, parser)
      }
    }
  }

  private static func eventSeeds() -> [[UInt8]] { SeedTexts.histories.map { Array($0.utf8) } }
}

enum Events {
  /// What is read without the parser is what was read with it.
  static func checkQuick<Event: EventCodable & Equatable>(
    _ parsed: Event?, _ type: EventType, _ data: ArraySlice<UInt8>
  ) {
    guard let stream = try? StreamID("list/a") else { return }
    let event = RecordedEvent(
      position: GlobalPosition(1), stream: stream, revision: Revision(1), type: type, schema: 1,
      time: Timestamp(microseconds: 0), data: data, meta: [])
    let quick = event.withView { Event(canonical: $0) }
    require(quick == nil || quick == parsed, "an event is the same without the parser")
  }

  /// What is decoded is written in one way, and that is decoded to the same.
  static func check<Event: EventCodable & Equatable>(_ event: Event, _ parser: JSONParser) {
    var writer = JSONWriter()
    event.writeData(to: &writer)
    guard let data = try? parser.parse(writer.bytes),
      let again = try? Event(type: event.type, schema: event.schema, data: data)
    else { return require(false, "what is written can be read") }
    require(again == event, "it is the same event")
    var second = JSONWriter()
    again.writeData(to: &second)
    require(writer.bytes == second.bytes, "it is written the same")
  }
}
