import Digests
import EventSourcing
import Testing

@testable import EventLog

/// A log of several segments, and places beside it for backups and restored logs.
struct BackedUpLog {
  let directory = TemporaryDirectory()
  let place = TemporaryDirectory()
  private let storage: FaultyStorage

  var backup: String { place.path + "/backup" }

  /// - Parameter isSyncing: false where waiting for the disk would take too long.
  init(isSyncing: Bool = false) { storage = FaultyStorage(isSyncing: isSyncing) }

  func open() throws -> SegmentedEventStore {
    try directory.open(smallConfiguration(segmentBytes: 8 << 10), storage: storage)
  }

  /// Appends batches of one to four events, each with a command and a time of its own.
  static func append(_ numbers: Range<Int>, to store: SegmentedEventStore) {
    for number in numbers {
      let lengths = (0...number % 4).map { 40 + 90 * $0 + number }
      store.appendAndWait(
        AppendBatch(
          stream("s\(number % 3)"), lengths, command: command("c\(number)"),
          time: Int64(number) * 1000))
    }
  }

  /// A closed log with that many batches.
  static func written(_ count: Int) throws -> BackedUpLog {
    let log = BackedUpLog()
    let store = try log.open()
    append(0..<count, to: store)
    store.close()
    return log
  }

  @discardableResult
  func backUp(to target: String? = nil) throws -> LogBackup.Report {
    try LogBackup(of: directory.path, to: target ?? backup, storage: storage).run()
  }

  func restore(
    _ name: String = "restored", stop: RestoreStop = .head, erasuresFrom newer: String? = nil
  ) throws -> LogRestore.Report {
    try LogRestore(
      from: backup, to: place.path + "/" + name, stop: stop, erasuresFrom: newer, storage: storage
    ).run()
  }

  /// Opens a restored log, gives it to `body` and closes it.
  func withRestored<Value>(
    _ name: String = "restored", _ body: (SegmentedEventStore) throws -> Value
  ) throws -> Value {
    let store = try SegmentedEventStore.open(
      directory: place.path + "/" + name, configuration: smallConfiguration(segmentBytes: 8 << 10),
      storage: storage)
    defer { store.close() }
    #expect(store.statistics.recoveryNote == nil)
    return try body(store)
  }

  /// The restored events.
  func restoredEvents(_ name: String = "restored") throws -> [RecordedEvent] {
    try withRestored(name) { try $0.everything() }
  }

  var events: [RecordedEvent] {
    get throws {
      let store = try open()
      defer { store.close() }
      return try store.everything()
    }
  }

  /// The backup's files, the lock left out, by their names.
  func backupFiles() throws -> [String: [UInt8]] {
    var files = ["backup.json": try readFile(backup + "/backup.json")]
    for name in try FileStorage().list(backup + "/segments") {
      files[name] = try readFile(backup + "/segments/" + name)
    }
    return files
  }

  func exists(_ name: String) -> Bool {
    (try? FileStorage().list(place.path).contains(name)) ?? false
  }
}

/// Replaces the text of the record at `position` in place, as an erasure does.
///
/// - Returns: the text that was there.
@discardableResult
func erase(_ position: UInt64, in path: String) throws -> [UInt8] {
  var bytes = try readFile(path)
  let place = try #require(try recordPlace(position, in: bytes))
  let data =
    place.offset + place.record.data.lowerBound..<place.offset
    + place.record.data.upperBound
  let old = Array(bytes[data])
  bytes.replaceSubrange(
    data, with: "{\"text\":\"".utf8 + [UInt8](repeating: 95, count: data.count - 11) + "\"}".utf8)
  bytes[place.offset + 14] |= RecordFrame.erasedFlag
  let checksum = bytes.withRawBytes {
    CRC32C.checksum($0.part(place.offset + 12..<place.offset + place.record.length))
  }
  bytes.withUnsafeMutableBytes { $0.put(checksum, at: place.offset + 4) }
  try writeInPlace(path, bytes)
  return old
}

func recordPlace(
  _ position: UInt64, in bytes: [UInt8]
) throws -> (offset: Int, record: RecordFrame)? {
  try bytes.withRawBytes { bytes in
    var start = SegmentHeader.size
    while let header = BatchHeader(bytes.part(start..<bytes.count)) {
      var offset = start + BatchHeader.size
      for _ in header.positions {
        let record = try RecordFrame(bytes.part(offset..<bytes.count))
        if record.position == position { return (offset, record) }
        offset += record.length
      }
      start += Int(header.length)
    }
    return nil
  }
}

/// Changes a file's bytes without making it anew.
func writeInPlace(_ path: String, _ bytes: [UInt8]) throws {
  let file = try FileStorage().open(path, .write)
  try bytes.withRawBytes { (bytes) throws(StorageError) in try file.write(bytes, at: 0) }
}

extension [UInt8] {
  func contains(_ part: [UInt8]) -> Bool {
    guard let first = part.first, count >= part.count else { return false }
    return indices.dropLast(part.count - 1).contains {
      self[$0] == first && self[$0..<$0 + part.count].elementsEqual(part)
    }
  }
}
