internal import EventSourcing
internal import FastJSON

/// Reads events with one parser's buffers; belongs to one thread at a time.
final class EventDecoder {
  private let parser = JSONParser()

  func decode<Event: EventCodable>(_ event: EventView) throws(ProjectionError) -> Event {
    let data: JSONValue
    do throws(JSONSyntaxError) {
      data = try parser.parse(event.data)
    } catch {
      throw ProjectionError(position: event.position, reason: "its data is no JSON")
    }
    do throws(EventCodingError) {
      return try Event(type: event.eventType, schema: event.schema, data: data)
    } catch {
      throw ProjectionError(position: event.position, reason: error.description)
    }
  }
}

extension StreamHead {
  /// Counts an event, which must be the stream's next.
  func takeNext(_ event: EventView) throws(ReadModelError) {
    guard Int(clamping: event.revision.rawValue) == revision + 1 else {
      throw .outOfRange("revision \(event.revision) does not follow \(revision)")
    }
    revision += 1
  }
}
