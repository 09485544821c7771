/// An aggregate's state after one of its stream's events, as bytes: a short cut for who would
/// replay the stream, never the only place where something is.
public struct Snapshot: Sendable, Equatable {
  public let stream: StreamID
  /// Of the last event that is in the state.
  public let revision: Revision
  /// Of the same event, as is ``time``. With the revision they tell whether the log has this very
  /// history.
  public let position: GlobalPosition
  public let time: Timestamp
  public let log: LogID
  /// The aggregate's ``SnapshotCodable/snapshotVersion``.
  public let version: UInt32
  public let state: [UInt8]

  public init(
    stream: StreamID, revision: Revision, position: GlobalPosition, time: Timestamp, log: LogID,
    version: UInt32, state: [UInt8]
  ) {
    self.stream = stream
    self.revision = revision
    self.position = position
    self.time = time
    self.log = log
    self.version = version
    self.state = state
  }
}

/// Where snapshots are kept: the port behind which an engine keeps one for each stream. All of it
/// may be gone, old or damaged at any time; then the log is replayed.
public protocol SnapshotStore: Sendable {
  /// The stream's snapshot; nil where there is none.
  ///
  /// - Throws: where there is one that is of no use: damaged, or of a format not known here.
  func load(_ stream: StreamID) throws(SnapshotError) -> Snapshot?

  /// Keeps a snapshot in place of the stream's former one.
  ///
  /// - Parameters:
  ///   - snapshot: what to keep.
  ///   - removals: ``removalCount`` before the first of its events was read. Where a snapshot was
  ///     removed since, this one may hold what had to go, and is refused.
  func save(_ snapshot: Snapshot, removals: UInt64) throws(SnapshotError)

  /// Takes a stream's snapshot away for good, also one that is being made.
  func remove(_ stream: StreamID) throws(SnapshotError)

  /// How often something was removed.
  var removalCount: UInt64 { get }
}

/// Why a snapshot could not be read, kept or removed.
public struct SnapshotError: Error, Sendable, Equatable, CustomStringConvertible {
  public let description: String

  public init(_ description: String) { self.description = description }
}
