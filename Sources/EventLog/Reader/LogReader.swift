internal import EventSourcing

/// Reads the durable log. Any number of threads may read at once.
struct LogReader: Sendable {
  /// How many records' places are looked up at once.
  static let step = 4096

  let catalog: Catalog
  let locator: RecordLocator

  private var records: RecordReader { locator.records }

  /// The events behind `position` up to `head`, oldest first.
  func events(
    after position: UInt64, head: UInt64, limit: ReadLimit
  ) throws(ReadError) -> [RecordedEvent] {
    var events: [RecordedEvent] = []
    try eachPart(after: position, head: head, limit: limit) { places, segment throws(ReadError) in
      try records.read(places, of: segment, into: &events)
      return true
    }
    return events
  }

  /// As ``events(after:head:limit:)``, each event where it was read to.
  func visit(
    after position: UInt64, head: UInt64, limit: ReadLimit, _ body: (EventView) -> Bool
  ) throws(ReadError) {
    try eachPart(after: position, head: head, limit: limit) { places, segment throws(ReadError) in
      try records.visit(places, of: segment, body)
    }
  }

  /// Looks up the places of the records behind `position`, some thousand at a time.
  ///
  /// - Parameter use: returns whether to go on.
  private func eachPart(
    after position: UInt64, head: UInt64, limit: ReadLimit,
    _ use: (ArraySlice<RecordPlace>, Segment) throws(ReadError) -> Bool
  ) throws(ReadError) {
    var budget = ReadBudget(limit)
    guard position < head else { return }
    let segments = catalog.all
    var next = position + 1
    var index = Catalog.index(of: next, in: segments)
    while next <= head && !budget.isSpent {
      let segment = segments[index]
      let last = index + 1 < segments.count ? min(head, segments[index + 1].first - 1) : head
      // A segment without records has nothing up to the head.
      guard last >= next else {
        index += 1
        continue
      }
      let count = min(Int(last - next) + 1, Self.step, budget.events)
      let ordinal = Int(next - segment.first)
      let places = try locator.places(ordinal..<ordinal + count, of: segment)
      let taken = budget.take(places)
      guard try use(places[..<taken], segment) else { return }
      next += UInt64(taken)
      if next > last { index += 1 }
    }
  }

  /// The events before `position`, newest first.
  func events(
    before position: UInt64, head: UInt64, limit: ReadLimit
  ) throws(ReadError) -> [RecordedEvent] {
    var budget = ReadBudget(limit)
    var events: [RecordedEvent] = []
    guard position > 1 else { return events }
    let segments = catalog.all
    var last = min(position - 1, head)
    while last > 0 && !budget.isSpent {
      let segment = segments[Catalog.index(of: last, in: segments)]
      let count = min(Int(last - segment.first) + 1, Self.step, budget.events)
      let ordinal = Int(last - segment.first)
      let places = try locator.places(ordinal + 1 - count..<ordinal + 1, of: segment)
      let taken = budget.take(places.reversed())
      var found: [RecordedEvent] = []
      try records.read(places.suffix(taken), of: segment, into: &found)
      events.append(contentsOf: found.reversed())
      last -= UInt64(taken)
    }
    return events
  }

  /// The position of the last event at or before `time`: times never go backwards along the log.
  func position(at time: Int64, head: UInt64) throws(ReadError) -> UInt64 {
    let segments = catalog.all
    // The time of the last record before it is in each segment's header.
    guard head > 0,
      let index = Catalog.lastIndex(in: segments, where: { $0.header.previousTime <= time })
    else { return 0 }
    let segment = segments[index]
    let last = index + 1 < segments.count ? min(head, segments[index + 1].first - 1) : head
    guard last >= segment.first else { return last }
    var low = 0
    var high = Int(last - segment.first) + 1
    while low < high {
      let middle = (low + high) / 2
      let event = try records.event(at: try locator.place(middle, of: segment), of: segment)
      if event.time.microseconds <= time { low = middle + 1 } else { high = middle }
    }
    return segment.first + UInt64(low) - 1
  }

  /// The event at a position up to the head.
  func event(at position: UInt64) throws(ReadError) -> RecordedEvent {
    let segments = catalog.all
    let segment = segments[Catalog.index(of: position, in: segments)]
    let place = try locator.place(Int(position - segment.first), of: segment)
    return try records.event(at: place, of: segment)
  }
}

/// What a read may still bring.
struct ReadBudget {
  private(set) var events: Int
  private var bytes: Int
  private var isUntouched = true
  private(set) var isSpent = false

  init(_ limit: ReadLimit) {
    events = limit.events
    bytes = limit.bytes
  }

  /// How many of `places`, from the front, fit; one fits always.
  mutating func take(_ places: some Sequence<RecordPlace>) -> Int {
    var taken = 0
    for place in places {
      guard events > 0, bytes >= place.length || isUntouched else {
        isSpent = true
        break
      }
      taken += 1
      events -= 1
      bytes -= place.length
      isUntouched = false
    }
    if events == 0 || bytes <= 0 { isSpent = true }
    return taken
  }
}
