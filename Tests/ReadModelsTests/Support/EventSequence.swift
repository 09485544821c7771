import Domain
import EventSourcing
import FastJSON
import Testing

@testable import ReadModels

/// A stream's events, numbered and projected one after another.
struct EventSequence {
  let stream: StreamID
  private var revision = Revision.none

  init(stream: StreamID) { self.stream = stream }

  mutating func project(_ event: MailboxEvent, _ model: MailboxModel) throws {
    try recorded(event).withView { view in
      Result { try MailboxProjection().project(view, into: model) }
    }.get()
  }

  mutating func project(_ event: ListEvent, _ model: ListModel) throws {
    try recorded(event).withView { view in
      Result { try ListProjection().project(view, into: model) }
    }.get()
  }

  private mutating func recorded(_ event: some EventCodable) -> RecordedEvent {
    revision = revision.advanced(by: 1)
    var writer = JSONWriter()
    event.writeData(to: &writer)
    return RecordedEvent(
      position: GlobalPosition(revision.rawValue), stream: stream, revision: revision,
      type: event.type, schema: event.schema, time: Timestamp(microseconds: 0),
      data: writer.bytes[...], meta: Array("{}".utf8)[...])
  }
}
