import EventSourcing
import Testing

@testable import EventLog

@Suite("Backups and restores that are interrupted")
struct BackupCrashTests {
  @Test("A backup stopped before any call leaves the old state or the new one")
  func backup() throws {
    let log = try BackedUpLog.written(6)
    let old = try log.backUp()
    let store = try log.open()
    BackedUpLog.append(6..<12, to: store)
    store.close()
    try erase(1, in: log.directory.segment(1))
    let events = try log.events
    let saved = try log.backupFiles()
    let head = GlobalPosition(UInt64(events.count))

    var calls = 0
    var isDone = false
    var seen: Set<GlobalPosition> = []
    while !isDone {
      let storage = FaultyStorage(isSyncing: false)
      storage.stop(afterCalls: calls)
      let result = Result {
        try LogBackup(of: log.directory.path, to: log.backup, storage: storage).run()
      }
      isDone = (try? result.get()) != nil
      let report = try log.restore("r\(calls)")
      seen.insert(report.head)
      #expect(report.head == (isDone ? head : report.head))
      #expect(report.head == old.head || report.head == head)
      let restored = try log.restoredEvents("r\(calls)")
      #expect(restored.dropFirst() == events[1..<Int(report.head.rawValue)])
      #expect((restored[0] == events[0]) == (report.head == head))
      // And the next run brings it up to date.
      #expect(try log.backUp().head == head)
      try putBack(saved, log)
      calls += 1
    }
    #expect(seen == [old.head, head] && calls > 30)
  }

  private func putBack(_ files: [String: [UInt8]], _ log: BackedUpLog) throws {
    let segments = log.backup + "/segments/"
    for name in try FileStorage().list(segments) { try FileStorage().remove(segments + name) }
    for (name, bytes) in files {
      try writeFile(name == "backup.json" ? log.backup + "/" + name : segments + name, bytes)
    }
  }

  @Test("A restore stopped before any call is not served, and can be run again")
  func restore() throws {
    let log = try BackedUpLog.written(8)
    try log.backUp()
    let events = try log.events
    var calls = 0
    var isDone = false
    var refused = 0
    while !isDone {
      let name = "r\(calls)"
      let path = log.place.path + "/" + name
      let storage = FaultyStorage(isSyncing: false)
      storage.stop(afterCalls: calls)
      let result = Result { try LogRestore(from: log.backup, to: path, storage: storage).run() }
      isDone = (try? result.get()) != nil
      let names = (try? FileStorage().list(path)) ?? []
      if names.contains("restoring") {
        refused += 1
        #expect(throws: EventLogError.self) {
          try SegmentedEventStore.open(directory: path).close()
        }
        #expect(throws: BackupError.self) { try LogBackup(of: path, to: path + "-b").run() }
      }
      // Without the mark there is no log, or all of it.
      if names.contains("restoring") || !names.contains("log") { _ = try log.restore(name) }
      #expect(try log.restoredEvents(name) == events)
      calls += 1
    }
    #expect(refused > 10 && calls > refused)
  }

  @Test("A full disk fails the run, and a later one works")
  func full() throws {
    let log = try BackedUpLog.written(12)
    let storage = FaultyStorage(isSyncing: false)
    let backup = LogBackup(of: log.directory.path, to: log.backup, storage: storage)
    storage.fail(.write, code: 28, times: 1, partialWrite: 100)
    #expect(throws: BackupError.self) { try backup.run() }
    #expect(throws: BackupError.noBackup(directory: log.backup)) { try log.restore() }
    _ = try backup.run()
    let restore = LogRestore(from: log.backup, to: log.place.path + "/restored", storage: storage)
    storage.fail(.write, code: 28, times: 1, partialWrite: 100)
    #expect(throws: BackupError.self) { try restore.run() }
    _ = try restore.run()
    #expect(try log.restoredEvents() == log.events)
  }
}
