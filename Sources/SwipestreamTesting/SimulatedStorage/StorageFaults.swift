public import EventLog

/// What goes wrong by itself on a ``SimulatedStorage``; by default nothing does.
public struct StorageFaults: Sendable, CustomStringConvertible {
  /// One call in so many fails, by the kind of call. A write that fails writes a part first; a sync
  /// that fails leaves it open what has reached the disk.
  public var odds: [StorageError.Operation: Int] = [:]

  /// Whether the disk is full: whatever needs more room fails with `ENOSPC`.
  public var isFull = false

  /// Whether syncing a file does nothing, and says that it did.
  public var liesOnSync = false

  /// Whether syncing a directory does nothing, and says that it did.
  public var liesOnDirectorySync = false

  /// One write in so many does not reach the disk, though it is synced; 0 for none.
  public var lostWriteOdds = 0

  /// One write in so many goes over other sectors of the file; 0 for none.
  public var misdirectedWriteOdds = 0

  public init() {}

  public var description: String {
    var words = odds.map { "\($0.key.rawValue) 1/\($0.value)" }.sorted()
    if isFull { words.append("full") }
    if liesOnSync { words.append("syncs do nothing") }
    if liesOnDirectorySync { words.append("directory syncs do nothing") }
    if lostWriteOdds > 0 { words.append("lost write 1/\(lostWriteOdds)") }
    if misdirectedWriteOdds > 0 { words.append("misdirected write 1/\(misdirectedWriteOdds)") }
    return words.isEmpty ? "none" : words.joined(separator: ", ")
  }

  /// Every kind of call that changes something fails once in `odds`.
  public static func everywhere(oneIn odds: Int) -> StorageFaults {
    var faults = StorageFaults()
    let operations: [StorageError.Operation] = [
      .open, .write, .sync, .truncate, .preallocate, .rename, .remove, .syncDirectory,
    ]
    for operation in operations { faults.odds[operation] = odds }
    return faults
  }
}

/// What is left when a ``SimulatedStorage`` starts again.
public enum StorageLoss: Sendable, CaseIterable {
  /// The process was killed: the system still has all that was written.
  case process
  /// The power failed: what was not synced may be there, in part, or not.
  case power
}

/// How much has happened on a ``SimulatedStorage``.
public struct StorageCounts: Sendable, Equatable {
  public internal(set) var calls = 0
  public internal(set) var faults = 0
  public internal(set) var restarts = 0
}
