internal import EventSourcing

extension LogReader {
  private struct Part {
    let segment: Segment
    let extent: RecordLocator.Extent
  }

  /// One stream's events behind `revision`, oldest first.
  func events(
    of stream: StreamID, after revision: UInt64, limit: ReadLimit
  ) throws(ReadError) -> [RecordedEvent] {
    var budget = ReadBudget(limit)
    var events: [RecordedEvent] = []
    guard revision < .max else { return events }
    for part in try parts(of: stream, from: revision + 1).reversed() where !budget.isSpent {
      var next = max(part.extent.revisions.lowerBound, revision + 1)
      while next <= part.extent.revisions.upperBound && !budget.isSpent {
        let count = UInt64(min(budget.events, Self.step))
        let last = min(part.extent.revisions.upperBound, next + count - 1)
        let places = try locator.places(of: stream, next...last, part.extent, in: part.segment)
        let taken = budget.take(places)
        let known = events.count
        try locator.records.read(taken[...], of: part.segment, into: &events)
        try check(events[known...], are: stream, from: next, in: part.segment)
        next += UInt64(taken.count)
      }
    }
    return events
  }

  /// The segments with the revision `first` of the stream or later ones, newest first.
  private func parts(of stream: StreamID, from first: UInt64) throws(ReadError) -> [Part] {
    var parts: [Part] = []
    for segment in catalog.all.reversed() {
      guard let extent = try locator.extent(of: stream, in: segment) else { continue }
      if extent.revisions.upperBound < first { break }
      parts.append(Part(segment: segment, extent: extent))
      if extent.revisions.lowerBound <= first { break }
    }
    return parts
  }

  /// What an index says is checked against the records.
  private func check(
    _ events: ArraySlice<RecordedEvent>, are stream: StreamID, from revision: UInt64,
    in segment: Segment
  ) throws(ReadError) {
    var expected = revision
    for event in events {
      guard event.revision.rawValue == expected, event.stream == stream else {
        throw .damaged(
          place: segment.name, positions: event.position.rawValue...event.position.rawValue,
          reason: "the record is not revision \(expected) of its stream")
      }
      expected += 1
    }
  }
}
