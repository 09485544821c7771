internal import Digests

/// The one row that says which log a view was made of, and how far.
///
/// It has a checksum of its own: a position that is too far would make a sound log look as if it had
/// lost its end.
struct CheckpointRow {
  static let table = """
    CREATE TABLE checkpoint (id INTEGER PRIMARY KEY CHECK (id = 0), log BLOB NOT NULL,
      position INTEGER NOT NULL, checksum INTEGER NOT NULL);
    """
  static let insert = "INSERT INTO checkpoint (id, log, position, checksum) VALUES (0, ?1, ?2, ?3)"
  static let update = "UPDATE checkpoint SET log = ?1, position = ?2, checksum = ?3"
  static let select = "SELECT log, position, checksum FROM checkpoint"

  /// The log id's bytes.
  let log: [UInt8]
  let position: Int

  init(log: [UInt8], position: Int) {
    self.log = log
    self.position = position
  }

  /// The row that `query`, a ``select``, stands on; nil where it does not match its checksum.
  init?(_ query: SQLiteStatement) {
    log = query.blob(0)
    position = query.integer(1)
    guard log.count == 16, query.integer(2) == checksum else { return nil }
  }

  /// Binds the row to an ``insert`` or ``update``.
  func bind(to statement: SQLiteStatement) {
    statement.bind(1, blob: log)
    statement.bind(2, position)
    statement.bind(3, checksum)
  }

  private var checksum: Int {
    let ofLog = log.withUnsafeBytes { CRC32C.checksum($0) }
    return withUnsafeBytes(of: position.littleEndian) { Int(CRC32C.checksum($0, seed: ofLog)) }
  }
}
