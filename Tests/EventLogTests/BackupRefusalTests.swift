import EventSourcing
import SwipestreamTesting
import Testing

@testable import EventLog

@Suite("Backups that are refused")
struct BackupRefusalTests {
  /// Runs `body`, which must be refused, and checks that the backup is as it was.
  private func refusal(
    _ log: BackedUpLog, _ body: () throws -> Void
  ) throws -> BackupError? {
    let before = try log.backupFiles()
    let error = #expect(throws: BackupError.self) { try body() }
    #expect(try log.backupFiles() == before)
    return error
  }

  @Test("Damage in the log is named, and the backup stays good", arguments: SeededRandom.seeds(1))
  func damage(seed: UInt64) throws {
    print("SWIPESTREAM_SEED=\(seed)")
    var random = SeededRandom(seed: seed)
    let log = try BackedUpLog.written(24)
    let events = try log.events
    try log.backUp()
    let files = try log.backupFiles().filter { $0.key.hasSuffix(".seg") }
    for (name, copied) in files {
      let path = log.directory.path + "/log/" + name
      let good = try readFile(path)
      for _ in 0..<40 {
        var bytes = good
        let place = Int.random(in: 0..<copied.count, using: &random)
        bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        try writeInPlace(path, bytes)
        let error = try refusal(log) { try log.backUp() }
        guard case .log(.damaged(let file, let offset, _, _)) = error else {
          Issue.record("\(name) \(place): \(String(describing: error))")
          continue
        }
        #expect(file == name && offset <= place)
        try writeInPlace(path, good)
      }
    }
    _ = try log.restore()
    #expect(try log.restoredEvents() == events)
  }

  @Test("A backup of another log")
  func otherLog() throws {
    let log = try BackedUpLog.written(5)
    let other = try BackedUpLog.written(5)
    try log.backUp()
    let error = try refusal(log) { try other.backUp(to: log.backup) }
    guard case .otherLog = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test("A log that ends before the backup, or has another history")
  func otherHistory() throws {
    let log = try BackedUpLog.written(4)
    let old = try readFile(log.directory.segment(1))
    let mark = try readFile(log.directory.path + "/head")
    let store = try log.open()
    store.appendAndWait(AppendBatch(stream("s"), [10, 20], time: 1))
    store.close()
    try log.backUp()
    let newest = try FileStorage().list(log.directory.path + "/log").sorted()
    #expect(newest == ["00000000000000000001.seg"])
    try writeFile(log.directory.segment(1), old)
    try writeFile(log.directory.path + "/head", mark)
    let ahead = try refusal(log) { try log.backUp() }
    guard case .ahead(_, let backup, let head) = ahead else {
      Issue.record("\(String(describing: ahead))")
      return
    }
    #expect(backup == head + 2)
    let again = try log.open()
    again.appendAndWait(AppendBatch(stream("s"), [20, 10, 30], time: 2))
    again.close()
    let differing = try refusal(log) { try log.backUp() }
    guard case .otherHistory = differing else {
      Issue.record("\(String(describing: differing))")
      return
    }
  }

  @Test("Places that are no backup, and two runs at once")
  func places() throws {
    let log = try BackedUpLog.written(3)
    try writeFile(log.place.path + "/note", [1])
    #expect(throws: BackupError.notABackup(directory: log.place.path, name: "note")) {
      try log.backUp(to: log.place.path)
    }
    try log.backUp()
    let lock = try FileStorage().lock(log.backup + "/lock")
    #expect(throws: BackupError.busy(directory: log.backup)) { try log.backUp() }
    #expect(throws: BackupError.busy(directory: log.backup)) { try log.restore() }
    lock.release()
    let nothing = TemporaryDirectory()
    #expect(throws: BackupError.noLog(directory: nothing.path)) {
      try LogBackup(of: nothing.path, to: log.backup).run()
    }
    #expect(throws: BackupError.noBackup(directory: nothing.path)) {
      try LogRestore(from: nothing.path, to: nothing.path + "/d").run()
    }
    #expect(try FileStorage().list(nothing.path).isEmpty)
  }

  @Test("A backup is not served, nor backed up as if it were a log")
  func notServed() throws {
    let log = try BackedUpLog.written(3)
    try log.backUp()
    #expect(throws: EventLogError.self) {
      try SegmentedEventStore.open(directory: log.backup).close()
    }
    #expect(throws: BackupError.self) {
      try LogBackup(of: log.backup, to: log.place.path + "/other").run()
    }
  }

  @Test("Any changed byte of the manifest is noticed")
  func manifest() throws {
    let log = try BackedUpLog.written(12)
    try log.backUp()
    let path = log.backup + "/backup.json"
    let good = try readFile(path)
    for index in good.indices {
      var bytes = good
      bytes[index] ^= 1 << UInt8(index % 7)
      try writeInPlace(path, bytes)
      #expect(throws: BackupError.self, "byte \(index)") { try log.restore() }
      #expect(throws: BackupError.self, "byte \(index)") { try log.backUp() }
    }
    #expect(!log.exists("restored"))
  }
}
