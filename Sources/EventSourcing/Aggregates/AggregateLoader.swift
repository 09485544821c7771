internal import ActorRuntime
internal import FastJSON

/// Rebuilds aggregates from their events, on a thread of its own: reading blocks, and a long stream
/// must not hold up the other streams' commands.
public actor AggregateLoader {
  /// An aggregate as its durable events make it.
  struct Loaded<A: Aggregate>: Sendable {
    let state: A
    let revision: Revision
    /// Of the stream's last event; the start where it has none.
    let position: GlobalPosition
  }

  private static let eventsPerRead = 4096

  private let executor: ThreadExecutor
  private let store: any EventStore
  private let parser = JSONParser()

  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  public init(store: any EventStore) {
    self.store = store
    executor = ThreadExecutor(name: "loader")
  }

  /// Ends the thread after what it has been asked for. Not from an actor on that thread.
  public nonisolated func stop() { executor.stop() }

  func load<A: Aggregate>(_: A.Type, _ stream: StreamID) throws(ServiceError) -> Loaded<A> {
    var state = A()
    var revision = Revision.none
    var position = GlobalPosition.start
    while true {
      let events = try read(stream, after: revision)
      for event in events {
        state.apply(try decode(event))
        revision = event.revision
        position = event.position
      }
      if events.count < Self.eventsPerRead, try isComplete(stream, revision) { break }
      guard !events.isEmpty else {
        throw ServiceError(.unavailable, "\(stream): its events after \(revision) are not found")
      }
    }
    return Loaded(state: state, revision: revision, position: position)
  }

  /// A read may end early at its byte limit, so a short one is the last only at the revision.
  private func isComplete(_ stream: StreamID, _ revision: Revision) throws(ServiceError) -> Bool {
    do {
      return try store.revision(of: stream) <= revision
    } catch {
      throw ServiceError(.unavailable, "\(stream): \(error)")
    }
  }

  private func read(
    _ stream: StreamID, after revision: Revision
  ) throws(ServiceError) -> [RecordedEvent] {
    do {
      return try store.read(stream, after: revision, limit: ReadLimit(events: Self.eventsPerRead))
    } catch {
      throw ServiceError(.unavailable, "\(stream): \(error)")
    }
  }

  private func decode<Event: EventCodable>(_ event: RecordedEvent) throws(ServiceError) -> Event {
    do {
      return try Event(
        type: event.type, schema: event.schema, data: try parser.parse(event.data))
    } catch {
      throw ServiceError(.unavailable, "\(event.stream) at position \(event.position): \(error)")
    }
  }
}
