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
  /// For how long pages that follow are prepared for; see ``dropIdle()``.
  public static let idleMilliseconds = KeptFolds.idleMilliseconds

  private static let batch = ReadLimit(events: 2000)

  private let store: any EventStore
  private let kept = KeptFolds()

  public init(store: any EventStore) { self.store = store }

  /// What a query of a view of the stream (nil: the one that has its category's name) answered at an instant (nil: now), as JSON.
  ///
  /// The first page reads all of the stream's events up to there, so call it from a thread of your
  /// own. What they add up to is kept for a while for the pages that follow.
  ///
  /// - Throws: `not-found` for a stream without events then, or of no view; `invalid` for an
  ///   instant to come or a bad page; `unavailable` where the log or an event cannot be read.
  public func state(
    of stream: StreamID, view: String? = nil, at instant: StateInstant? = nil,
    page: PageRequest = PageRequest()
  ) throws(ServiceError) -> [UInt8] {
    let cursor = try page.check()
    let position = try position(of: instant)
    switch (stream.category, view) {
    case (.mailbox, AgendaProjection.name):
      return try answer(AgendaState.self, stream, position, page, cursor)
    case (_, let view?) where view != stream.category.description:
      throw ServiceError(.invalid, "\(stream) has no view of that name")
    case (.mailbox, _): return try answer(MailboxState.self, stream, position, page, cursor)
    case (.list, _): return try answer(ListState.self, stream, position, page, cursor)
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

  private func answer<State: FoldedState>(
    _: State.Type, _ stream: StreamID, _ position: GlobalPosition, _ request: PageRequest,
    _ cursor: PageCursor?
  ) throws(ServiceError) -> [UInt8] {
    var fold =
      kept.take(State.self, of: stream, upTo: position) ?? Fold(stream: stream, state: State())
    guard var state = fold.state as? State else { return [] }
    // One owner, or each change would copy it.
    fold.state = State()
    if fold.position < position {
      fold.revision = try bring(&state, of: stream, from: fold.revision, to: position)
      fold.position = position
    }
    guard fold.revision > .none else {
      throw ServiceError(.notFound, "\(stream) has no events up to position \(position)")
    }
    let head = PageHead(
      stream: stream, revision: Int(clamping: fold.revision.rawValue), position: position)
    let page = try state.page(head, request, cursor: cursor)
    if !page.isLast {
      fold.state = state
      kept.keep(fold)
    }
    return page.json
  }

  /// - Returns: the revision of the last event up to the position.
  private func bring<State: FoldedState>(
    _ state: inout State, of stream: StreamID, from revision: Revision,
    to position: GlobalPosition
  ) throws(ServiceError) -> Revision {
    var revision = revision
    var failure: ServiceError?
    var isThere = false
    let decoder = EventDecoder()
    while !isThere {
      isThere = true
      try reading { () throws(ReadError) in
        try store.visit(stream, after: revision, limit: Self.batch) { event in
          isThere = event.position > position
          if isThere { return false }
          do throws(ProjectionError) {
            try state.take(event, decoder)
            revision = event.revision
            return true
          } catch {
            failure = ServiceError(.unavailable, error.description)
            return false
          }
        }
      }
      if let failure { throw failure }
    }
    return revision
  }

  /// Lets go of what is kept for further pages and was not asked for in a while.
  ///
  /// - Returns: whether something is still kept.
  public func dropIdle() -> Bool {
    kept.drop(idleFor: KeptFolds.idleMilliseconds)
    return !kept.isEmpty
  }

  /// Lets go of all that is kept for further pages: text was erased that may be in it.
  public func forget() { kept.drop() }

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
