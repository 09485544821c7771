public import EventSourcing

/// Why a backup or a restore was refused or failed. A backup that was there before is still good,
/// and what a restore should have made is not there.
public enum BackupError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The log's or the storage's fault.
  case log(EventLogError)
  case noLog(directory: String)
  /// A service runs there but has not noted how far its log is durable.
  case noHeadMark(directory: String)
  /// Another backup into, or restore from, the directory is under way.
  case busy(directory: String)
  /// The directory holds something else.
  case notABackup(directory: String, name: String)
  case noBackup(directory: String)
  case otherLog(directory: String, backup: LogID, log: LogID)
  /// The backup goes further than the log.
  case ahead(directory: String, backup: UInt64, head: UInt64)
  /// The two are of the same log and yet differ before a position.
  case otherHistory(directory: String, position: UInt64)
  /// The log that erasures are to be taken from is not a later state of the one in the backup.
  case otherErasures(directory: String, position: UInt64)
  /// Something in the backup is not as it was written.
  case damaged(directory: String, reason: String)
  case beyondHead(position: UInt64, head: UInt64)
  /// There is something already where a log is to be restored.
  case notEmpty(directory: String, name: String)
  /// A service runs on the directory that a log is to be restored into.
  case inUse(directory: String)

  init(_ error: StorageError) { self = .log(.storage(error)) }

  public var description: String {
    switch self {
    case .log(let error): error.description
    case .noLog(let directory): "there is no log in \(directory)"
    case .noHeadMark(let directory):
      "cannot tell how far the log in \(directory) is durable: its file 'head' is missing or "
        + "unreadable while a service runs there; try again, and if that does not help, restart "
        + "the service"
    case .busy(let directory): "another backup or restore is using \(directory)"
    case .notABackup(let directory, let name):
      "\(directory) is not a backup and not empty (it holds '\(name)'); name an empty or a new "
        + "directory"
    case .noBackup(let directory): "there is no backup in \(directory)"
    case .otherLog(let directory, let backup, let log):
      "\(directory) is a backup of the log \(backup), not of \(log); name another directory"
    case .ahead(let directory, let backup, let head):
      "the backup \(directory) goes up to position \(backup), but the log ends with \(head): it is "
        + "an older copy or has lost its end; the backup was left as it is"
    case .otherHistory(let directory, let position):
      "\(directory) holds another history of the log: events up to position \(position) differ by "
        + "more than erased text; nothing was changed; name another directory for a backup of it"
    case .otherErasures(let directory, let position):
      "the log in \(directory) is of another history: at position \(position) it does not hold the "
        + "backup's event; nothing was restored"
    case .damaged(let directory, let reason): "the backup \(directory) is damaged: \(reason)"
    case .beyondHead(let position, let head):
      "the backup ends with position \(head), which is before \(position)"
    case .notEmpty(let directory, let name):
      "\(directory) is not empty (it holds '\(name)'); a log is restored into an empty or a new "
        + "directory"
    case .inUse(let directory): "another process uses this directory: \(directory)"
    }
  }
}

/// What `body` gives, the storage's errors as a backup's.
func mappingBackupErrors<Result>(
  _ body: () throws(StorageError) -> Result
) throws(BackupError) -> Result {
  do throws(StorageError) {
    return try body()
  } catch {
    throw BackupError(error)
  }
}
