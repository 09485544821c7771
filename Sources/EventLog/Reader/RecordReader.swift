internal import ActorRuntime
internal import EventSourcing

/// Where a record is in its segment.
struct RecordPlace {
  let ordinal: UInt32
  let offset: Int
  /// The record ends here at the latest.
  let end: Int

  var length: Int { end - offset }
}

/// Reads records and makes events of them, each checked. By `pread`, never by a mapping: a file cut
/// short by someone else must be an error, not a signal.
final class RecordReader: Sendable {
  /// Records are read together up to this many bytes.
  static let chunkSize = 128 << 10
  /// A gap up to this long is read along rather than skipped with another call.
  private static let gapLimit = 16 << 10
  private static let pooledDecoders = 16

  private let files: SegmentFiles
  private let decoders = Lock<[RecordDecoder]>([])
  private let chunks = ChunkPool()

  init(files: SegmentFiles) { self.files = files }

  /// Adds the events at `places`, which are in order, to `events`.
  func read(
    _ places: ArraySlice<RecordPlace>, of segment: Segment, into events: inout [RecordedEvent]
  ) throws(ReadError) {
    if places.isEmpty { return }
    let file = try files.file(of: segment)
    var decoder = decoders.withLock { $0.popLast() } ?? RecordDecoder()
    defer {
      decoders.withLock { if $0.count < Self.pooledDecoders { $0.append(decoder) } }
    }
    if events.isEmpty { events.reserveCapacity(places.count) }
    var rest = places
    while let first = rest.first {
      let group = Self.group(at: first, in: rest)
      rest = rest[group.endIndex...]
      try read(group, of: segment, from: file, decoder: &decoder, into: &events)
    }
  }

  /// Gives `body` the events at `places`, which are in order, where they were read to.
  ///
  /// - Parameter body: returns false to end it.
  /// - Returns: false where `body` did.
  func visit(
    _ places: ArraySlice<RecordPlace>, of segment: Segment, _ body: (EventView) -> Bool
  ) throws(ReadError) -> Bool {
    if places.isEmpty { return true }
    let file = try files.file(of: segment)
    var chunk = chunks.take()
    defer { chunks.give(chunk) }
    var rest = places
    while let first = rest.first {
      let group = Self.group(at: first, in: rest)
      rest = rest[group.endIndex...]
      let start = first.offset
      let count = group[group.endIndex - 1].end - start
      let goesOn = try chunk.read(count, from: file, at: start) { bytes throws(ReadError) in
        var view = ViewReader(bytes, start: start)
        for place in group {
          do throws(FrameFault) {
            let event = try view.event(at: place, position: segment.first + UInt64(place.ordinal))
            if !body(event) { return false }
          } catch {
            throw damage(error, at: place, of: segment)
          }
        }
        return true
      }
      if !goesOn { return false }
    }
    return true
  }

  func event(at place: RecordPlace, of segment: Segment) throws(ReadError) -> RecordedEvent {
    var events: [RecordedEvent] = []
    try read([place], of: segment, into: &events)
    return events[0]
  }

  /// The places that one call reads: near one another, and not too many bytes.
  private static func group(
    at first: RecordPlace, in places: ArraySlice<RecordPlace>
  ) -> ArraySlice<RecordPlace> {
    var end = places.startIndex + 1
    while end < places.endIndex, places[end].end - first.offset <= chunkSize,
      places[end].offset - places[end - 1].end <= gapLimit
    {
      end += 1
    }
    return places[places.startIndex..<end]
  }

  private func read(
    _ places: ArraySlice<RecordPlace>, of segment: Segment, from file: any LogFile,
    decoder: inout RecordDecoder, into events: inout [RecordedEvent]
  ) throws(ReadError) {
    let start = places[places.startIndex].offset
    let count = places[places.endIndex - 1].end - start
    let chunk: [UInt8]
    do throws(StorageError) {
      chunk = try file.bytes(count, at: start)
    } catch {
      throw .failed(reason: error.description)
    }
    try chunk.withRawBytes { bytes throws(ReadError) in
      for place in places {
        let position = segment.first + UInt64(place.ordinal)
        do throws(FrameFault) {
          guard place.end - start <= bytes.count else { throw FrameFault("the file is cut short") }
          events.append(
            try decoder.event(
              in: chunk, bytes: bytes, at: place.offset - start, end: place.end - start,
              position: position))
        } catch {
          throw damage(error, at: place, of: segment)
        }
      }
    }
  }

  private func damage(
    _ fault: FrameFault, at place: RecordPlace, of segment: Segment
  ) -> ReadError {
    let position = segment.first + UInt64(place.ordinal)
    return .damaged(
      place: EventLogError.place(file: segment.name, offset: place.offset),
      positions: position...position, reason: fault.reason)
  }
}
