public import EventSourcing

/// A moment in the log's history.
public enum StateInstant: Sendable, Equatable {
  /// After the event at this position.
  case position(GlobalPosition)
  /// After the last event at or before this time.
  case time(Timestamp)
}

/// Tells a stream's view as it was, by folding the stream's events: no view's file is needed.
public struct StateReader: Sendable {
  private static let batch = ReadLimit(events: 2000)

  private let store: any EventStore

  public init(store: any EventStore) { self.store = store }

  /// What a query of the stream's view answered at an instant (nil: now), as JSON.
  ///
  /// It reads all of the stream's events up to there, so call it from a thread of your own.
  ///
  /// - Throws: `not-found` for a stream without events then, or of no view; `invalid` for an
  ///   instant to come or a bad page; `unavailable` where the log or an event cannot be read.
  public func state(
    of stream: StreamID, at instant: StateInstant? = nil, page: PageRequest = PageRequest()
  ) throws(ServiceError) -> [UInt8] {
    let cursor = try page.check()
    let position = try position(of: instant)
    switch stream.category {
    case .mailbox: return try fold(MailboxState(), stream, position, page, cursor)
    case .list: return try fold(ListState(), stream, position, page, cursor)
    default: throw ServiceError(.notFound, "there is no view of \(stream)")
    }
  }

  private func position(of instant: StateInstant?) throws(ServiceError) -> GlobalPosition {
    let head = store.head
    switch instant {
    case nil: return head
    case .position(let position):
      guard position <= head else {
        throw ServiceError(.invalid, "position \(position) is beyond the log's head \(head)")
      }
      return position
    case .time(let time):
      return try reading { () throws(ReadError) in try store.position(at: time) }
    }
  }

  private func fold<State: FoldedState>(
    _ empty: State, _ stream: StreamID, _ position: GlobalPosition, _ page: PageRequest,
    _ cursor: PageCursor?
  ) throws(ServiceError) -> [UInt8] {
    var state = empty
    var revision = Revision.none
    let decoder = EventDecoder()
    reading: while true {
      let events = try reading { () throws(ReadError) in
        try store.read(stream, after: revision, limit: Self.batch)
      }
      if events.isEmpty { break }
      for event in events {
        if event.position > position { break reading }
        state.apply(try decode(event, decoder))
        revision = event.revision
      }
    }
    guard revision > .none else {
      throw ServiceError(.notFound, "\(stream) has no events up to position \(position)")
    }
    let head = PageHead(
      stream: stream, revision: Int(clamping: revision.rawValue), position: position)
    return try state.page(head, page, cursor: cursor)
  }

  private func decode<Event: EventCodable>(
    _ event: RecordedEvent, _ decoder: EventDecoder
  ) throws(ServiceError) -> Event {
    do throws(ProjectionError) {
      return try decoder.decode(event)
    } catch {
      throw ServiceError(.unavailable, error.description)
    }
  }

  private func reading<Value>(
    _ body: () throws(ReadError) -> Value
  ) throws(ServiceError) -> Value {
    do throws(ReadError) {
      return try body()
    } catch {
      throw ServiceError(.unavailable, error.description)
    }
  }
}
