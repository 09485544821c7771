internal import FastJSON

/// An aggregate in the making: its snapshot where there is one to trust, and the stream's durable
/// events behind it, a few thousand at a time.
struct StreamFold<A: Aggregate> {
  let stream: StreamID
  private let store: any EventStore
  private let removals: UInt64
  private(set) var state: A
  private(set) var revision: Revision
  /// Of the stream's last event; the start where it has none.
  private(set) var position: GlobalPosition
  private var time = Timestamp(microseconds: 0)
  /// What the snapshot covered; none where it was of no use.
  private(set) var snapshotRevision: Revision
  /// Whether there is a snapshot that is of no use.
  private(set) var hasBadSnapshot = false

  private static var eventsPerStep: Int { 4096 }

  /// How many events were replayed.
  var replayed: UInt64 { revision.rawValue - snapshotRevision.rawValue }

  init(
    _ stream: StreamID, store: any EventStore, snapshots: (any SnapshotStore)?
  ) throws(ServiceError) {
    self.stream = stream
    self.store = store
    removals = snapshots?.removalCount ?? 0
    state = A()
    revision = .none
    position = .start
    snapshotRevision = .none
    guard let snapshots else { return }
    do throws(SnapshotError) {
      guard let snapshot = try snapshots.load(stream) else { return }
      hasBadSnapshot = try take(snapshot) == false
    } catch {
      hasBadSnapshot = true
    }
  }

  /// Begins with a snapshot, if it is one of this log's history that this program understands.
  private mutating func take(_ snapshot: Snapshot) throws(SnapshotError) -> Bool {
    guard snapshot.stream == stream, snapshot.log == store.logID,
      snapshot.version == A.snapshotVersion, snapshot.revision > .none
    else { return false }
    let before = Revision(snapshot.revision.rawValue - 1)
    let events: [RecordedEvent]
    do throws(ReadError) {
      events = try store.read(stream, after: before, limit: ReadLimit(events: 1))
    } catch {
      // What cannot be read here is met, and told, by whoever replays.
      throw SnapshotError(error.description)
    }
    guard let event = events.first, event.revision == snapshot.revision,
      event.position == snapshot.position, event.time == snapshot.time
    else { return false }
    do throws(SnapshotDecodingError) {
      state = try A(snapshotBytes: snapshot.state)
    } catch {
      return false
    }
    revision = snapshot.revision
    position = snapshot.position
    time = snapshot.time
    snapshotRevision = revision
    return true
  }

  /// Takes in some more events.
  ///
  /// - Returns: whether there may be further ones.
  mutating func step(_ parser: JSONParser) throws(ServiceError) -> Bool {
    let count = try visit(parser)
    // A visit may end early at its byte limit, so a short one is the last only at the revision.
    if count < Self.eventsPerStep, try isComplete() { return false }
    guard count > 0 else {
      throw ServiceError(.unavailable, "\(stream): its events after \(revision) are not found")
    }
    return true
  }

  /// - Returns: how many events were taken in.
  private mutating func visit(_ parser: JSONParser) throws(ServiceError) -> Int {
    let store = store
    var count = 0
    var failure: ServiceError?
    do throws(ReadError) {
      try store.visit(stream, after: revision, limit: ReadLimit(events: Self.eventsPerStep)) {
        event in
        do throws(EventCodingError) {
          try state.apply(event, parser)
        } catch {
          failure = ServiceError(
            .unavailable, "\(event.streamID) at position \(event.position): \(error)")
          return false
        }
        revision = event.revision
        position = event.position
        time = event.time
        count += 1
        return true
      }
    } catch {
      throw ServiceError(.unavailable, "\(stream): \(error)")
    }
    if let failure { throw failure }
    return count
  }

  /// The state as a snapshot.
  var snapshot: PreparedSnapshot {
    PreparedSnapshot(
      snapshot: Snapshot(
        stream: stream, revision: revision, position: position, time: time,
        log: store.logID,
        version: A.snapshotVersion, state: state.snapshotBytes),
      removals: removals)
  }

  private func isComplete() throws(ServiceError) -> Bool {
    do {
      return try store.revision(of: stream) <= revision
    } catch {
      throw ServiceError(.unavailable, "\(stream): \(error)")
    }
  }
}

/// A snapshot, and what there was removed before its events were read.
struct PreparedSnapshot: Sendable {
  let snapshot: Snapshot
  let removals: UInt64
}
