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
    var events: [RecordedEvent] = []
    try eachPart(of: stream, after: revision, limit: limit) {
      places, segment, first throws(ReadError) in
      let known = events.count
      try locator.records.read(places, of: segment, into: &events)
      for (index, event) in events[known...].enumerated() {
        let expected = first + UInt64(index)
        guard event.revision.rawValue == expected, event.stream == stream else {
          throw Self.mismatch(at: event.position, revision: expected, in: segment)
        }
      }
      return true
    }
    return events
  }

  /// As ``events(of:after:limit:)``, each event where it was read to.
  func visit(
    _ stream: StreamID, after revision: UInt64, limit: ReadLimit, _ body: (EventView) -> Bool
  ) throws(ReadError) {
    try eachPart(of: stream, after: revision, limit: limit) {
      places, segment, first throws(ReadError) in
      var expected = first
      var mismatch: ReadError?
      let goesOn = try locator.records.visit(places, of: segment) { event in
        guard event.revision.rawValue == expected, event.isOf(stream) else {
          mismatch = Self.mismatch(at: event.position, revision: expected, in: segment)
          return false
        }
        expected += 1
        return body(event)
      }
      if let mismatch { throw mismatch }
      return goesOn
    }
  }

  /// Looks up the places of the stream's records behind `revision`, some thousand at a time.
  ///
  /// - Parameter use: gets the first one's revision, too; returns whether to go on.
  private func eachPart(
    of stream: StreamID, after revision: UInt64, limit: ReadLimit,
    _ use: (ArraySlice<RecordPlace>, Segment, UInt64) throws(ReadError) -> Bool
  ) throws(ReadError) {
    var budget = ReadBudget(limit)
    guard revision < .max else { return }
    for part in try parts(of: stream, from: revision + 1).reversed() where !budget.isSpent {
      var next = max(part.extent.revisions.lowerBound, revision + 1)
      while next <= part.extent.revisions.upperBound && !budget.isSpent {
        let count = UInt64(min(budget.events, Self.step))
        let last = min(part.extent.revisions.upperBound, next + count - 1)
        let places = try locator.places(of: stream, next...last, part.extent, in: part.segment)
        let taken = budget.take(places)
        guard try use(places[..<taken], part.segment, next) else { return }
        next += UInt64(taken)
      }
    }
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
  private static func mismatch(
    at position: GlobalPosition, revision: UInt64, in segment: Segment
  ) -> ReadError {
    .damaged(
      place: segment.name, positions: position.rawValue...position.rawValue,
      reason: "the record is not revision \(revision) of its stream")
  }
}
