/// The places of a log's files, and how a new segment comes into being.
struct LogDirectory: Sendable {
  let storage: any LogStorage
  let root: String
  /// Whether it is opened by a repair that has its journal there until its end.
  var isInRepair = false

  var log: String { root + "/" + Self.logName }
  var index: String { root + "/index" }
  var snapshots: String { root + "/snapshots" }
  var lock: String { root + "/" + Self.lockName }
  var views: String { root + "/views" }
  var headMark: String { root + "/" + Self.headMarkName }
  /// How far the log was searched for erasures; the service keeps it.
  var erasureMark: String { root + "/" + Self.erasureMarkName }
  /// A file that is there from a restore's beginning to its end.
  var restoreMark: String { root + "/" + Self.restoreMarkName }

  static let lockName = "lock"
  static let headMarkName = "head"
  static let erasureMarkName = "erasures"
  static let logName = "log"
  static let restoreMarkName = "restoring"

  func segmentPath(first: UInt64) -> String { log + "/" + FileFormat.segmentName(first: first) }

  /// The names of all that passes for a segment, sorted.
  func segmentNames() throws(StorageError) -> [String] {
    try storage.list(log).filter { $0.hasSuffix(FileFormat.segmentSuffix) }.sorted()
  }

  /// How long a file is, and the bytes where its header should be.
  func sizeAndHeader(of name: String) throws(StorageError) -> (size: Int, header: [UInt8]) {
    let file = try storage.open(log + "/" + name, .read)
    return (try file.size(), try file.bytes(SegmentHeader.size, at: 0))
  }

  /// Refuses a backup, and what an interrupted restore left.
  func checkIsToBeServed() throws(EventLogError) {
    let names = (try? storage.list(root)) ?? []
    if names.contains(BackupDirectory.manifestName) {
      throw .notToBeServed(
        directory: root,
        reason: "is a backup; `swipestream log restore` makes a data directory of it")
    }
    if names.contains(Self.restoreMarkName) {
      throw .notToBeServed(
        directory: root,
        reason: "holds a restore that was not finished; run it again, or remove the directory")
    }
  }

  /// Makes a segment durable under its name, with its room reserved.
  ///
  /// One that a crash or a full disk left behind half-made has a temporary name, and is made anew.
  ///
  /// - Returns: the file, open for writing.
  func createSegment(
    _ header: SegmentHeader, size: Int
  ) throws(StorageError) -> any LogFile {
    let path = segmentPath(first: header.first)
    let temporary = path + FileFormat.temporarySuffix
    let file = try storage.open(temporary, .create)
    try header.encoded().withRawBytes { (bytes) throws(StorageError) in
      try file.write(bytes, at: 0)
    }
    try file.preallocate(to: max(size, SegmentHeader.size))
    try file.sync()
    try storage.rename(temporary, to: path)
    try storage.syncDirectory(log)
    // Opened by its name, so that errors tell that one.
    return try storage.open(path, .write)
  }
}
