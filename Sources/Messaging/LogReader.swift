internal import ActorRuntime
internal import EventSourcing
internal import FastJSON
internal import Synchronization
internal import Wire

/// Answers `read` on a thread of its own.
actor LogReader {
  /// How many events one filtered read looks at before it answers with what it has.
  private static let scanLimit = 100_000
  private static let eventsPerRead = 1000

  private let executor = ThreadExecutor(name: "reader")
  private let store: any EventStore
  private let isStopping = Atomic<Bool>(false)

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  init(store: any EventStore) { self.store = store }

  /// What waits is refused, so that the thread ends soon.
  nonisolated func stop() {
    isStopping.store(true, ordering: .relaxed)
    executor.stop()
  }

  /// The whole reply.
  func read(_ request: ReadRequest, id: String?) -> [UInt8] {
    var writer = JSONWriter(capacity: 4096)
    guard !isStopping.load(ordering: .relaxed) else {
      Reply.error(ServiceError(.unavailable, "the service stops"), id: id, to: &writer)
      return writer.bytes
    }
    do throws(ReadError) {
      let page = try page(request)
      Reply.ok(id: id, to: &writer) { writer in
        writer.key("events")
        writer.beginArray()
        writer.raw(page.events)
        writer.endArray()
        writer.key("next")
        writer.value(page.next.rawValue)
        writer.key("head")
        writer.value(page.head.rawValue)
      }
    } catch {
      writer.removeAll()
      Reply.error(ServiceError(.unavailable, error.description), id: id, to: &writer)
    }
    return writer.bytes
  }

  private struct Page {
    /// Event objects with commas between them.
    let events: [UInt8]
    let next: GlobalPosition
    let head: GlobalPosition
  }

  private func page(_ request: ReadRequest) throws(ReadError) -> Page {
    let head = store.head
    var cursor = Self.start(request, head: head)
    var writer = JSONWriter(capacity: 4096)
    var found = 0
    var seen = 0
    reading: while found < request.limit, seen < Self.scanLimit {
      let events = try next(request, cursor, head: head)
      if events.isEmpty { break }
      for event in events {
        if request.filter.matches(event) {
          let size = writer.count + event.writtenBytesLimit
          guard found < request.limit, found == 0 || size <= WireLimits.eventBytes else {
            break reading
          }
          event.write(to: &writer)
          found += 1
        }
        cursor = event.position
        seen += 1
      }
    }
    return Page(events: writer.bytes, next: cursor, head: head)
  }

  private static func start(_ request: ReadRequest, head: GlobalPosition) -> GlobalPosition {
    switch request.from {
    case .position(let position): position
    case .end: head.advanced(by: 1)
    }
  }

  private func next(
    _ request: ReadRequest, _ cursor: GlobalPosition, head: GlobalPosition
  ) throws(ReadError) -> [RecordedEvent] {
    let limit = ReadLimit(
      events: request.filter.isEverything ? request.limit : Self.eventsPerRead)
    if request.isBackward {
      return cursor.rawValue > 1 ? try store.read(before: cursor, limit: limit) : []
    }
    return cursor < head ? try store.read(after: cursor, limit: limit) : []
  }
}
