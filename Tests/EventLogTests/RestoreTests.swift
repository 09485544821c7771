import EventSourcing
import SwipestreamTesting
import Testing

@testable import EventLog

@Suite("Restore")
struct RestoreTests {
  @Test("Up to a position: those events, their commands known, and new ones go on from there")
  func position() throws {
    let log = try BackedUpLog.written(24)
    let events = try log.events
    try log.backUp()
    for head in [0, 1, 2, 3, 4, 5, 6] + Array(stride(from: 7, to: events.count, by: 4)) + [
      events.count
    ] {
      let name = "to-\(head)"
      let report = try log.restore(name, stop: .position(GlobalPosition(UInt64(head))))
      #expect(report.head.rawValue == UInt64(head))
      #expect(report.headTime == (head > 0 ? events[head - 1].time : nil))
      try log.withRestored(name) { store in
        #expect(store.logID == report.log)
        #expect(try store.everything() == Array(events[..<head]))
        for number in 0..<24 {
          let found = try store.command(command("c\(number)"), in: stream("s\(number % 3)"))
          let last = events.last { $0.time.microseconds == Int64(number) * 1000 }
          let isThere = last.map { $0.position.rawValue <= UInt64(head) } ?? false
          #expect(found?.position == (isThere ? last?.position : nil))
        }
        #expect(
          store.appendAndWait(AppendBatch(stream("s0"), [5])).value?.first.rawValue
            == UInt64(head) + 1)
      }
    }
  }

  @Test("Up to a time: every event up to and including it")
  func everyTime() throws {
    let log = try BackedUpLog.written(24)
    let events = try log.events
    try log.backUp()
    for time in stride(from: Int64(-500), through: 24_500, by: 2500) {
      let name = "at\(time)"
      let report = try log.restore(name, stop: .time(Timestamp(microseconds: time)))
      let expected = events.filter { $0.time.microseconds <= time }
      #expect(report.head.rawValue == UInt64(expected.count))
      #expect(try log.restoredEvents(name) == expected)
    }
  }

  @Test("Beyond the backup's end nothing is restored")
  func beyond() throws {
    let log = try BackedUpLog.written(4)
    let head = try log.backUp().head.rawValue
    #expect(throws: BackupError.beyondHead(position: head + 1, head: head)) {
      try log.restore(stop: .position(GlobalPosition(head + 1)))
    }
    #expect(!log.exists("restored"))
  }

  @Test("Only into an empty directory that nobody uses")
  func target() throws {
    let log = try BackedUpLog.written(4)
    try log.backUp()
    _ = try log.restore()
    let path = log.place.path + "/restored"
    #expect(throws: BackupError.notEmpty(directory: path, name: "log")) { try log.restore() }
    try FileStorage().createDirectory(log.place.path + "/empty")
    let lock = try FileStorage().lock(log.place.path + "/empty/lock")
    #expect(throws: BackupError.inUse(directory: log.place.path + "/empty")) {
      try log.restore("empty")
    }
    lock.release()
    _ = try log.restore("empty")
    #expect(try log.restoredEvents("empty") == log.events)
  }

  @Test("A changed byte in the backup is found; what is before it can be restored")
  func damage() throws {
    let log = try BackedUpLog.written(24)
    let events = try log.events
    try log.backUp()
    for (name, good) in try log.backupFiles() where name.hasSuffix(".seg") {
      let path = log.backup + "/segments/" + name
      let first = try #require(FileFormat.firstPosition(ofSegment: name))
      for index in stride(from: 0, to: good.count, by: 257) {
        var bytes = good
        bytes[index] ^= 0x20
        try writeInPlace(path, bytes)
        do {
          _ = try log.restore()
          Issue.record("restored in spite of damage at \(index) of \(name)")
        } catch BackupError.damaged(_, let reason) {
          #expect(reason.contains(name))
        }
        #expect(!log.exists("restored"))
      }
      var bytes = good
      bytes[SegmentHeader.size + BatchHeader.size + 70] ^= 0x20
      try writeInPlace(path, bytes)
      _ = try log.restore("before-\(first)", stop: .position(GlobalPosition(first - 1)))
      #expect(try log.restoredEvents("before-\(first)") == Array(events[..<Int(first - 1)]))
      try writeInPlace(path, good)
    }
  }

  @Test("Segments of one backup do not pass for another's")
  func swapped() throws {
    let log = try BackedUpLog.written(24)
    let other = try BackedUpLog.written(24)
    try log.backUp()
    try other.backUp()
    for (name, bytes) in try other.backupFiles() where name.hasSuffix(".seg") {
      let path = log.backup + "/segments/" + name
      let good = try readFile(path)
      try writeFile(path, bytes)
      #expect(throws: BackupError.self) { try log.restore() }
      try writeFile(path, good)
    }
    _ = try log.restore()
  }

  @Test("Erasures that a newer log or backup knows are applied")
  func laterErasures() throws {
    let log = try BackedUpLog.written(24)
    try log.backUp()
    let head = try log.events.count
    let firsts = try FileStorage().list(log.directory.path + "/log")
      .compactMap(FileFormat.firstPosition).sorted()
    let positions = [firsts[0], firsts[1] + 2, firsts[2]]
    let store = try log.open()
    BackedUpLog.append(24..<40, to: store)
    store.close()
    for position in positions {
      let first = firsts.last { $0 <= position } ?? 1
      try erase(position, in: log.directory.segment(first))
    }
    let events = try log.events
    let newer = log.place.path + "/newer"
    try log.backUp(to: newer)

    for (name, source) in [("from-log", log.directory.path), ("from-backup", newer)] {
      #expect(try log.restore(name, erasuresFrom: source).erased == 3)
      #expect(try log.restoredEvents(name) == Array(events[..<head]))
    }
    // In a batch that is cut, and again where it is erased already.
    let cut = firsts[1] + 2
    #expect(
      try log.restore("cut", stop: .position(GlobalPosition(cut)), erasuresFrom: newer).erased == 2)
    #expect(try log.restoredEvents("cut") == Array(events[..<Int(cut)]))
    try log.backUp()
    #expect(try log.restore("again", erasuresFrom: newer).erased == 0)
    // A log that was restored and went on is a later state, too, in spite of its id.
    #expect(try log.restore("chained", erasuresFrom: log.place.path + "/cut").erased == 0)
  }

  @Test("Another history cannot say what was erased")
  func otherErasures() throws {
    let log = try BackedUpLog.written(10)
    try log.backUp()
    let other = BackedUpLog()
    let store = try other.open()
    BackedUpLog.append(0..<5, to: store)
    store.appendAndWait(AppendBatch(stream("s"), [1], time: 90_000))
    store.close()
    let position = UInt64(try other.events.count)
    let path = other.directory.path
    #expect(throws: BackupError.otherErasures(directory: path, position: position)) {
      try log.restore(erasuresFrom: path)
    }
    #expect(!log.exists("restored"))
    _ = try log.restore(
      stop: .position(GlobalPosition(position - 1)), erasuresFrom: path)
  }
}
