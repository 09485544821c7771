/// Snapshots hold texts, and hashes from which a short text can be guessed: those of a stream that
/// something is erased from go, and are made anew when they are due.
public struct SnapshotRemoval: ErasureFollower {
  private let snapshots: any SnapshotStore

  public init(from snapshots: any SnapshotStore) { self.snapshots = snapshots }

  public func forget(
    _ streams: Set<StreamID>, upTo position: GlobalPosition
  ) async throws(ServiceError) {
    for stream in streams {
      do throws(SnapshotError) {
        try snapshots.remove(stream)
      } catch {
        throw ServiceError(.unavailable, "\(stream): \(error)")
      }
    }
  }
}
