internal import EventSourcing

/// The drags of a list: a value beside the list's state, which is in no event.
struct DragSessions: Sendable, Equatable {
  /// A session that nobody's message renews ends after this.
  static let leaseSeconds = 10
  /// Drags of one list at a time.
  static let limit = 64
  /// How many ended sessions are remembered, and for how long, so that who comes too late is told why.
  private static let endedLimit = 64
  private static let endedMilliseconds = 60_000

  private struct Ended: Sendable, Equatable {
    let name: CommandID
    let reason: String
    let forgottenAt: Int
  }

  /// In the order in which they began.
  private(set) var open: [DragSession] = []
  /// The oldest first.
  private var ended: [Ended] = []
  private var previews: [LivePreview] = []
  /// Milliseconds of the monotonic clock.
  private var now = 0

  func session(_ name: CommandID) -> DragSession? { open.first { $0.name == name } }

  /// The session, its lease renewed.
  ///
  /// - Throws: `not-found`, and why it ended where that is known.
  mutating func renew(_ name: CommandID, by: String?) throws(ServiceError) -> DragSession {
    guard let index = open.firstIndex(where: { $0.name == name }) else {
      if let ended = ended.last(where: { $0.name == name }) {
        throw ServiceError(.notFound, "the drag '\(name)' has ended: \(ended.reason)")
      }
      throw ServiceError(
        .notFound,
        "there is no drag '\(name)': it never began, ended long ago, or the service was restarted")
    }
    open[index].deadline = now + Self.leaseSeconds * 1000
    if let by { open[index].by = by }
    return open[index]
  }

  /// - Precondition: no session of this name is open.
  mutating func begin(
    _ name: CommandID, _ item: ItemID, isCompleted: Bool, by: String?
  ) throws(ServiceError) -> DragSession {
    guard open.count < Self.limit else {
      throw ServiceError(
        .overloaded,
        "\(Self.limit) items of this list are being dragged; try again when some are dropped")
    }
    ended.removeAll { $0.name == name }
    let session = DragSession(
      name: name, item: item, wasCompleted: isCompleted, by: by, hover: nil,
      deadline: now + Self.leaseSeconds * 1000)
    open.append(session)
    return session
  }

  mutating func hold(_ name: CommandID, at hover: DragSession.Hover?) {
    guard let index = open.firstIndex(where: { $0.name == name }) else { return }
    open[index].hover = hover
  }

  /// Shows others that an item is held at a place.
  mutating func show(_ session: DragSession, at place: ItemPlace) {
    previews.append(session.preview(at: place))
  }

  /// Ends a session, and shows it.
  mutating func end(_ name: CommandID, _ end: DragEnd) {
    guard let index = open.firstIndex(where: { $0.name == name }) else { return }
    let session = open.remove(at: index)
    previews.append(session.preview(of: end))
    ended.append(
      Ended(name: name, reason: end.reason, forgottenAt: now + Self.endedMilliseconds))
    if ended.count > Self.endedLimit { ended.removeFirst() }
  }
}

extension DragSessions: LiveState {
  var isOpen: Bool { !open.isEmpty }

  var deadline: Int? {
    let leases = open.lazy.map(\.deadline).min()
    guard let forgotten = ended.first?.forgottenAt else { return leases }
    return min(leases ?? forgotten, forgotten)
  }

  mutating func advance(to now: Int) {
    self.now = max(self.now, now)
    for session in open where session.deadline <= self.now { end(session.name, .expired) }
    ended.removeAll { $0.forgottenAt <= self.now }
  }

  mutating func abandon() {
    for session in open {
      end(session.name, .gone(reason: "the log did not take what was changed meanwhile"))
    }
  }

  mutating func takePreviews() -> [LivePreview] {
    defer { previews = [] }
    return previews
  }
}
