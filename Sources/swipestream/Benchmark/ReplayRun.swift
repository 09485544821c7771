internal import ActorRuntime
internal import Domain
internal import EventLog
internal import EventSourcing
internal import FastJSON
internal import Glibc

/// Reads a whole log in this process, and folds it into the mailboxes that it is about.
enum ReplayRun {
  private static let limit = ReadLimit(events: 4096)

  private struct Pass {
    var events = 0
    var bytes = 0
    var nanoseconds: UInt64 = 0
    /// Those in which the thread had a core.
    var coreNanoseconds: UInt64 = 0

    var perSecond: Double { Double(events) * 1e9 / Double(max(1, nanoseconds)) }
    var perCoreSecond: Double { Double(events) * 1e9 / Double(max(1, coreNanoseconds)) }
  }

  static func run(directory: String, passes: Int) async throws(Failure) -> JSON {
    // Opening would make a log where there is none.
    guard access(directory + "/log", F_OK) == 0 else {
      throw Failure(.refused, "there is no log in \(directory)")
    }
    let store: SegmentedEventStore
    do throws(EventLogError) {
      store = try SegmentedEventStore.open(
        directory: directory, configuration: EventLogConfiguration())
    } catch {
      throw Failure(.refused, "\(error)")
    }
    let services = ServiceGroup([store])
    do {
      try await services.start()
    } catch {
      throw Failure(.refused, "cannot open the log: \(error)")
    }
    // What folds events reads them as the service does.
    let events = UpcastingEventStore(store, EventSchemas.upcasters)
    let result = Result { () throws(Failure) in try measure(events, passes: passes) }
    await services.stop()
    return try result.get()
  }

  private static func measure(_ store: some EventStore, passes: Int) throws(Failure) -> JSON {
    var scans: [Pass] = []
    var folds: [Pass] = []
    for _ in 0..<passes {
      scans.append(try scan(store))
      folds.append(try fold(store))
    }
    return [
      "what": "replay", "events": .integer(scans[0].events),
      "contentBytes": .double(Double(scans[0].bytes) / Double(max(1, scans[0].events))),
      "readPerSecond": .double(median(scans, \.perSecond)),
      "foldPerSecond": .double(median(folds, \.perSecond)),
      "readPerCoreSecond": .double(median(scans, \.perCoreSecond)),
      "foldPerCoreSecond": .double(median(folds, \.perCoreSecond)),
    ]
  }

  private static func median(_ passes: [Pass], _ figure: (Pass) -> Double) -> Double {
    passes.map(figure).sorted()[passes.count / 2]
  }

  /// What it takes to read and verify, through the port that every reader uses.
  private static func scan(_ store: some EventStore) throws(Failure) -> Pass {
    var bytes = 0
    var result = try pass(store) { event in
      bytes += event.data.count + event.meta.count
    }
    result.bytes = bytes
    return result
  }

  /// The same, with every event decoded and applied.
  private static func fold(_ store: some EventStore) throws(Failure) -> Pass {
    let parser = JSONParser()
    defer { withExtendedLifetime(parser) {} }
    var mailboxes: [Mailbox] = []
    var indexes: [StreamID: Int] = [:]
    // An event is mostly of the stream that the one before it was of.
    var name: [UInt8] = []
    var current = 0
    return try pass(store) { event throws(EventCodingError) in
      if !event.isOf(streamNamed: name) {
        guard event.isOf(.mailbox) else { return }
        let stream = event.streamID
        current = indexes[stream] ?? mailboxes.count
        if current == mailboxes.count {
          mailboxes.append(Mailbox())
          indexes[stream] = current
        }
        name = Array(event.stream)
      }
      try mailboxes[current].apply(event, parser)
    }
  }

  private static func pass(
    _ store: some EventStore, _ use: (EventView) throws(EventCodingError) -> Void
  ) throws(Failure) -> Pass {
    var pass = Pass()
    var position = GlobalPosition.start
    var failure: Failure?
    let head = store.head
    let start = MonotonicTime.nanoseconds
    let coreStart = MonotonicTime.threadNanoseconds
    do throws(ReadError) {
      while position < head, failure == nil {
        try store.visit(after: position, limit: limit) { event in
          do throws(EventCodingError) {
            try use(event)
          } catch {
            failure = Failure(.refused, "position \(event.position): \(error)")
            return false
          }
          pass.events += 1
          position = event.position
          return true
        }
      }
    } catch {
      throw Failure(.refused, "behind position \(position): \(error)")
    }
    if let failure { throw failure }
    pass.nanoseconds = MonotonicTime.nanoseconds - start
    pass.coreNanoseconds = MonotonicTime.threadNanoseconds - coreStart
    return pass
  }
}
