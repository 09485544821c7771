import ActorRuntime
import EventSourcing
import Testing

@testable import EventLog

@Suite("Backup")
struct BackupTests {
  @Test("It holds what is durable; a later run writes only what is new")
  func incremental() throws {
    let log = BackedUpLog()
    let store = try log.open()
    BackedUpLog.append(0..<30, to: store)
    let first = try log.backUp()
    let segments = store.statistics.segments
    #expect(segments > 3)
    #expect(first.log == store.logID && first.head == store.head)
    #expect(first.segments == segments && first.copied == segments)
    #expect(first.bytes == store.statistics.bytes && first.written == first.bytes)
    #expect(first.headTime == Timestamp(microseconds: 29_000))

    let again = try log.backUp()
    #expect(again.written == 0 && again.unchanged == segments && again.head == first.head)

    BackedUpLog.append(30..<60, to: store)
    let second = try log.backUp()
    #expect(second.unchanged == segments - 1 && second.extended == 1 && second.replaced == 0)
    #expect(second.copied == store.statistics.segments - segments)
    #expect(second.bytes == store.statistics.bytes)
    #expect(second.written == second.bytes - first.bytes)
    let events = try store.everything()
    store.close()
    let report = try log.restore()
    #expect(report.source == first.log && report.log != first.log)
    #expect(report.head == second.head && report.bytes == second.bytes && report.erased == 0)
    #expect(try log.restoredEvents() == events)
  }

  @Test("An empty log has a backup, too")
  func empty() throws {
    let log = try BackedUpLog.written(0)
    let report = try log.backUp()
    #expect(report.head == .start && report.headTime == nil && report.segments == 1)
    #expect(try log.restore().head == .start)
    #expect(try log.restoredEvents() == [])
    let store = try log.open()
    BackedUpLog.append(0..<3, to: store)
    store.close()
    #expect(try log.backUp().extended == 1)
    #expect(try log.restore("second").head.rawValue == 6)
  }

  @Test("While the log is written to, each backup is a front part of it with all that was durable")
  func whileWriting() throws {
    let log = BackedUpLog(isSyncing: true)
    let store = try log.open()
    let isOver = Lock(false)
    let writer = NamedThread("test-writer") {
      var number = 0
      while !isOver.withLock({ $0 }) {
        BackedUpLog.append(number..<number + 1, to: store)
        number += 1
      }
    }
    var heads: [GlobalPosition] = []
    for round in 0..<8 {
      let durable = store.head
      let report = try log.backUp()
      #expect(report.head >= durable)
      #expect(try log.restore("r\(round)").head == report.head)
      heads.append(report.head)
    }
    isOver.withLock { $0 = true }
    writer.join()
    let events = try store.everything()
    store.close()
    #expect(heads == heads.sorted() && heads[0] < heads[7])
    for (round, head) in heads.enumerated() {
      #expect(try log.restoredEvents("r\(round)") == Array(events[..<Int(head.rawValue)]))
    }
  }

  @Test("Text that was erased in the log is gone from the backup after the next run")
  func erased() throws {
    let log = try BackedUpLog.written(40)
    try log.backUp()
    let firsts = try log.backupFiles().keys.compactMap(FileFormat.firstPosition).sorted()
    let newest = firsts[firsts.count - 1]
    for position in [firsts[1], newest] {
      let path = log.directory.segment(firsts.last { $0 <= position } ?? 1)
      let text = try erase(position, in: path)
      #expect(try log.backupFiles().values.contains { $0.contains(text) })
      let report = try log.backUp()
      #expect(report.replaced == 1 && report.unchanged == firsts.count - 1)
      let files = try log.backupFiles()
      #expect(files.count == firsts.count + 1)
      #expect(!files.values.contains { $0.contains(text) })
    }
    // Another erasure, and more events behind it in the same run.
    let store = try log.open()
    BackedUpLog.append(40..<44, to: store)
    store.close()
    try erase(newest + 1, in: log.directory.segment(newest))
    #expect(try log.backUp().replaced == 1)
    _ = try log.restore()
    #expect(try log.restoredEvents() == log.events)
  }

  @Test("Nothing is left of a run that was interrupted")
  func leftovers() throws {
    let log = try BackedUpLog.written(20)
    try log.backUp()
    let files = try log.backupFiles()
    let newest = try #require(files.keys.filter { $0.hasSuffix(".seg") }.max())
    let segments = log.backup + "/segments/"
    try writeInPlace(segments + newest, try #require(files[newest]) + [1, 2, 3])
    try writeFile(segments + "00000000000000000001.7.seg", [1])
    try writeFile(segments + "00000000000000000999.seg", [1])
    try writeFile(segments + "note.txt", [1])
    #expect(try log.backUp().written == 0)
    let manifest = "backup.json"
    var left = try log.backupFiles()
    #expect(left.removeValue(forKey: "note.txt") == [1])
    #expect(left.filter { $0.key != manifest } == files.filter { $0.key != manifest })
  }

  @Test("A copy that is gone or cut short is made anew")
  func lostCopy() throws {
    let log = try BackedUpLog.written(20)
    try log.backUp()
    let names = try log.backupFiles().keys.filter { $0.hasSuffix(".seg") }.sorted()
    try FileStorage().remove(log.backup + "/segments/" + names[0])
    try FileStorage().open(log.backup + "/segments/" + names[1], .write).truncate(to: 5000)
    #expect(try log.backUp().replaced == 2)
    _ = try log.restore()
    #expect(try log.restoredEvents() == log.events)
  }

  @Test("A write that never finished is not copied, and nothing in the log is changed")
  func tornTail() throws {
    let log = try WrittenLog([[10], [20, 30], [400, 900, 40]])
    try log.writeMark(3)
    var bytes = log.bytes
    for index in log.last.upperBound - 300..<log.last.upperBound { bytes[index] = 0 }
    try writeFile(log.path, bytes)
    let place = TemporaryDirectory()
    let report = try LogBackup(of: log.directory.path, to: place.path + "/b").run()
    #expect(report.head.rawValue == 3)
    #expect(try readFile(log.path) == bytes)
  }
}
