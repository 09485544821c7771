internal import EventSourcing

extension EventStore {
  /// The events after `position` up to a limit, without gaps.
  func batch(after position: GlobalPosition, limit: Int) throws(ReadError) -> [RecordedEvent] {
    let events = try read(after: position, limit: ReadLimit(events: limit))
    for (index, event) in events.enumerated()
    where event.position != position.advanced(by: index + 1) {
      throw .failed(reason: "position \(event.position) does not follow the one before")
    }
    return events
  }
}
