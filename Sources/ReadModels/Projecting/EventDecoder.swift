internal import EventSourcing
internal import FastJSON

/// Reads events with one parser's buffers; belongs to one thread at a time.
final class EventDecoder {
  private let parser = JSONParser()

  func decode<Event: EventCodable>(_ event: EventView) throws(ProjectionError) -> Event {
    do throws(EventCodingError) {
      return try Event(event, parser)
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
