public import EventSourcing
internal import Glibc

/// How far the views' files are, read without opening them for use.
public enum ViewCheckpoints {
  /// A log and the position in it that a view was made of.
  public struct Checkpoint: Sendable, Equatable {
    public let log: LogID
    public let position: GlobalPosition
  }

  /// The checkpoints in `directory`. A file that is damaged, missing or no view tells nothing.
  public static func read(in directory: String) -> [Checkpoint] {
    ViewDirectory(path: directory).names().compactMap { name in
      name.hasSuffix(".sqlite") ? try? checkpoint(in: directory + "/" + name) : nil
    }
  }

  private static func checkpoint(in path: String) throws(ReadModelError) -> Checkpoint? {
    // Without a journal beside it the file is all there is, and nothing has to be made to read it.
    let mode: SQLiteConnection.Mode = hasJournal(path) ? .readOnly : .immutable
    let connection = try SQLiteConnection(path: path, mode: mode)
    defer { connection.close() }
    let query = try connection.prepare(CheckpointRow.select)
    defer { query.reset() }
    guard try query.step(), let row = CheckpointRow(query) else { return nil }
    return Checkpoint(
      log: LogID(bytes: row.log), position: GlobalPosition(UInt64(clamping: row.position)))
  }

  private static func hasJournal(_ path: String) -> Bool {
    var status = stat()
    return stat(path + "-wal", &status) == 0 && status.st_size > 0
  }
}
