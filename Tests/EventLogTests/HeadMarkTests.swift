import EventSourcing
import Testing

@testable import EventLog

@Suite("Head mark")
struct HeadMarkTests {
  private let lengths = [[10], [20, 30], [5, 500, 40]]

  @Test("After each commit the mark says how far the log is durable")
  func follows() throws {
    let directory = TemporaryDirectory()
    let store = try directory.open()
    let place = LogDirectory(storage: FileStorage(), root: directory.path)
    #expect(HeadMark.read(in: place) == HeadMark(log: store.logID, head: 0))
    for count in 1...5 {
      store.appendAndWait(AppendBatch(stream("a"), [1, 2]))
      #expect(HeadMark.read(in: place) == HeadMark(log: store.logID, head: UInt64(2 * count)))
    }
    store.close()
  }

  @Test("A log whose durable end is gone is refused, also where it looks like an unfinished write")
  func lostEnd() throws {
    let log = try WrittenLog(lengths)
    let cut = Array(log.bytes[..<log.last.lowerBound])
    try log.expectDamage(cut, at: log.last.lowerBound, position: 4)
    try log.expectDamage(Array(log.bytes[..<(log.last.upperBound - 1)]), at: log.last.lowerBound)
    try log.writeMark(5)
    try log.expectDamage(cut, at: log.last.lowerBound, position: 5)
    try log.expectRecovered(cut, count: 3, note: false)
  }

  @Test("Without any segment, what the mark knows of is missed")
  func noSegments() throws {
    let log = try WrittenLog(lengths)
    try FileStorage().remove(log.path)
    do {
      try log.directory.open().close()
      Issue.record("a new log was made in the place of a lost one")
    } catch EventLogError.damaged(let file, _, let positions, _) {
      #expect(file == FileFormat.segmentName(first: 1))
      #expect(positions == 1...6)
    }
    #expect(try FileStorage().list(log.directory.path + "/log").isEmpty)
  }

  @Test("A mark that is missing, damaged, behind, or of another log changes nothing")
  func harmless() throws {
    let log = try WrittenLog(lengths)
    let path = log.directory.path + "/head"
    let good = try readFile(path)
    var marks = good.indices.map { index in
      var bytes = good
      bytes[index] ^= 0x10
      return bytes
    }
    marks += [[], Array(good.dropLast()), HeadMark(log: .random(), head: 99).encoded()]
    marks.append([UInt8](repeating: 0xFF, count: 4096))
    for mark in marks {
      try writeFile(path, mark)
      let store = try log.directory.open()
      #expect(store.head.rawValue == 6)
      store.close()
      #expect(try readFile(path).prefix(HeadMark.size) == good[...])
    }
    try FileStorage().remove(path)
    try log.directory.open().close()
    #expect(try readFile(path) == good)
  }
}
