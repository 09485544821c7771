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

    var perSecond: Double { Double(events) * 1e9 / Double(max(1, nanoseconds)) }
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
      "readPerSecond": .double(median(scans)), "foldPerSecond": .double(median(folds)),
    ]
  }

  private static func median(_ passes: [Pass]) -> Double {
    passes.map(\.perSecond).sorted()[passes.count / 2]
  }

  /// What it takes to read and verify, through the port that every reader uses.
  private static func scan(_ store: some EventStore) throws(Failure) -> Pass {
    var bytes = 0
    var result = try pass(store) { events in
      for event in events { bytes += event.data.count + event.meta.count }
    }
    result.bytes = bytes
    return result
  }

  /// A mailbox that is changed in place, wherever it is kept.
  private final class Folded {
    var mailbox = Mailbox()
  }

  /// The same, with every event decoded and applied.
  private static func fold(_ store: some EventStore) throws(Failure) -> Pass {
    let parser = JSONParser()
    defer { withExtendedLifetime(parser) {} }
    var all: [StreamID: Folded] = [:]
    // An event is mostly of the stream that the one before it was of.
    var recent: (stream: StreamID, folded: Folded)?
    return try pass(store) { events in
      for event in events where event.stream.category == .mailbox {
        let change = try MailboxEvent(
          type: event.type, schema: event.schema, data: try parser.parse(event.data))
        if let recent, recent.stream == event.stream {
          recent.folded.mailbox.apply(change)
          continue
        }
        let folded = all[event.stream] ?? Folded()
        all[event.stream] = folded
        recent = (event.stream, folded)
        folded.mailbox.apply(change)
      }
    }
  }

  private static func pass(
    _ store: some EventStore, _ use: ([RecordedEvent]) throws -> Void
  ) throws(Failure) -> Pass {
    var pass = Pass()
    var position = GlobalPosition.start
    let head = store.head
    let start = MonotonicTime.nanoseconds
    do {
      while position < head {
        let events = try store.read(after: position, limit: limit)
        guard let last = events.last else { break }
        try use(events)
        pass.events += events.count
        position = last.position
      }
    } catch {
      throw Failure(.refused, "behind position \(position): \(error)")
    }
    pass.nanoseconds = MonotonicTime.nanoseconds - start
    return pass
  }
}
