import EventSourcing
import FastJSON
import SwipestreamTesting
import Testing

@testable import Domain

/// Every released schema stays readable for ever (promise 11), and none is changed by accident.
///
/// `Golden/<type>.v<schema>.ndjson` has a line of stored data for each sample of the type.
struct GoldenEventTests {
  private let golden = GoldenFiles("Golden")

  private static func byType<Event: EventCodable>(_ events: [Event]) -> [EventType: [Event]] {
    Dictionary(grouping: events) { $0.type }
  }

  private func name(_ type: EventType, _ schema: UInt16) -> String { "\(type).v\(schema).ndjson" }

  /// An event as the log has it, read as the service reads it.
  private func read<Event: EventCodable>(
    _: Event.Type, _ type: EventType, _ schema: UInt16, _ line: String
  ) throws -> Event {
    let stored = RecordedEvent(
      position: GlobalPosition(1), stream: try StreamID("mailbox/golden"), revision: Revision(1),
      type: type, schema: schema, time: Timestamp(microseconds: 0), data: Array(line.utf8)[...],
      meta: Array("{}".utf8)[...])
    let event = EventSchemas.upcasters.upcast([stored])[0]
    let parser = JSONParser()
    defer { withExtendedLifetime(parser) {} }
    return try Event(type: event.type, schema: event.schema, data: try parser.parse(event.data))
  }

  private func check<Event: EventCodable & Equatable>(
    _ events: [Event], _ schemas: [EventType: UInt16]
  ) throws {
    let samples = Self.byType(events)
    #expect(Set(samples.keys) == Set(schemas.keys))
    for (type, samples) in samples {
      let present = try #require(schemas[type])
      #expect(samples.allSatisfy { $0.schema == present }, "\(type) has another schema")
      let lines = samples.map { eventData($0) }
      golden.write(name(type, present), lines: lines)
      // As bytes: two strings are equal that are not spelt the same.
      #expect(
        golden.bytes(name(type, present)) == lines.flatMap { Array("\($0)\n".utf8) },
        "data of a released schema is written differently: give \(type) a new schema")
      for schema in 1...present {
        let lines = try #require(golden.lines(name(type, schema)), "\(type) \(schema) has no file")
        for (line, sample) in zip(lines, samples) {
          let event = try read(Event.self, type, schema, line)
          #expect(event == sample)
          #expect(schema < present || eventData(event).utf8.elementsEqual(line.utf8))
        }
      }
    }
  }

  @Test func mailboxEvents() throws {
    try check(GoldenSamples.mailbox, MailboxEvent.schemas)
    let kinds = Set(GoldenSamples.mailbox.map(GoldenSamples.kind))
    #expect(kinds == Set(0..<MailboxEvent.schemas.count))
  }

  @Test func listEvents() throws {
    try check(GoldenSamples.list, ListEvent.schemas)
    let kinds = Set(GoldenSamples.list.map(GoldenSamples.kind))
    #expect(kinds == Set(0..<ListEvent.schemas.count))
  }

  /// A file that no test reads would say nothing.
  @Test func everyFileIsOfAReleasedSchema() {
    let expected = EventSchemas.present.flatMap { type, schema in
      (1...schema).map { name(type, $0) }
    }
    #expect(golden.names == expected.sorted())
  }

  /// Not a member that some sample leaves out and none has.
  @Test func samplesCoverEveryMember() throws {
    let members: [(file: String, members: Set<String>)] = [
      (
        "mail.delivered.v1.ndjson",
        [
          "mail", "from", "subject", "message", "date", "to", "cc", "messageID", "inReplyTo",
          "references", "digest", "size", "read", "flagged", "answered", "trashed", "archived",
          "pinned", "labels", "thread", "origin",
        ]
      ),
      ("mail.purged.v1.ndjson", ["mail", "erased", "known"]),
      ("item.purged.v1.ndjson", ["item", "erased"]),
      (
        "item.added.v1.ndjson",
        ["item", "section", "text", "after", "repeat", "due", "movable", "anchorDay"]
      ),
      ("item.configured.v1.ndjson", ["item", "movable", "repeat", "due", "anchorDay"]),
      ("mailbox.swipe-configured.v1.ndjson", ["left-to-right", "right-to-left"]),
      ("list.swipe-configured.v1.ndjson", ["section", "left-to-right", "right-to-left"]),
    ]
    for (file, expected) in members {
      let lines = try #require(golden.lines(file)).map { try JSON(parsing: $0) }
      let found = lines.map { Set(($0.members ?? []).map(\.key)) }
      #expect(found.reduce(Set()) { $0.union($1) } == expected)
      let required = found.reduce(expected) { $0.intersection($1) }
      #expect(required.count < expected.count, "\(file): nothing is ever left out")
    }
  }
}
