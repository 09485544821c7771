public import EventSourcing

/// Why a log could not be opened. Nothing stored was changed, except that a write that never
/// finished may have been cut before a later check failed.
public enum EventLogError: Error, Sendable, Equatable, CustomStringConvertible {
  /// Another process serves the directory.
  case inUse(directory: String)
  /// There is no log to look at.
  case noLog(directory: String)
  /// A repair was interrupted while it changed the log.
  case repairUnfinished(directory: String)
  /// A repair was interrupted, and its journal is damaged, so that it cannot be ended.
  case repairUnreadable(directory: String)
  /// The stored bytes are not what was written, and no interrupted write explains it.
  case damaged(file: String, offset: Int, positions: ClosedRange<UInt64>?, reason: String)
  /// The directory holds something that is not to be served: a backup, or half a restore.
  case notToBeServed(directory: String, reason: String)
  case storage(StorageError)
  /// The commands to be remembered could not be read.
  case unreadable(ReadError)

  public var description: String {
    switch self {
    case .inUse(let directory): "another process serves this directory: \(directory)"
    case .noLog(let directory):
      "there is no log in \(directory): it has no segment under log/"
    case .repairUnfinished(let directory):
      "a repair of \(directory) was interrupted; `swipestream log repair --data \(directory)` ends it"
    case .repairUnreadable(let directory):
      """
      \(directory)/\(RepairJournal.fileName) is damaged: a repair was interrupted, and how far it \
      came cannot be read; nothing was changed. Put a backup back. Without one, copy the directory, \
      move the segments in the newest folder under \(directory)/removed back into \(directory)/log, \
      remove \(RepairJournal.fileName), and choose again with `swipestream log repair`
      """
    case .damaged(let file, let offset, let positions, let reason):
      "damaged log at \(Self.place(file: file, offset: offset))"
        + (positions.map { ", positions \($0.lowerBound) to \($0.upperBound)" } ?? "")
        + ": \(reason)"
    case .notToBeServed(let directory, let reason): "\(directory) \(reason)"
    case .storage(let error): error.description
    case .unreadable(let error): error.description
    }
  }

  static func place(file: String, offset: Int) -> String { "\(file), offset \(offset)" }
}

/// What `body` gives, its errors as this module's.
func mappingStorageErrors<Result>(
  _ body: () throws(StorageError) -> Result
) throws(EventLogError) -> Result {
  do throws(StorageError) {
    return try body()
  } catch {
    throw .storage(error)
  }
}
