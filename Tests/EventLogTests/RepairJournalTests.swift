import EventSourcing
import Glibc
import SwipestreamTesting
import Testing

@testable import EventLog

@Suite("Repair journal")
struct RepairJournalTests {
  private let log: SealedLog
  private let storage = FaultyStorage(isSyncing: false)

  init() throws { log = try SealedLog() }

  private var path: String { log.directory.path }
  private var journal: String { path + "/repair.journal" }
  private var repairer: LogRepairer { LogRepairer(directory: path, storage: storage) }

  /// Damages the second segment.
  private func damage() throws {
    let part = log.parts[1]
    try log.change(part) { $0[part.records[4].bytes.lowerBound + 70] ^= 1 }
  }

  /// Damages the log and stops a repair in the midst of its steps.
  private func interrupt() throws {
    try damage()
    var calls = 0
    while try !repairer.isUnfinished {
      storage.stop(afterCalls: calls)
      #expect(throws: RepairError.self) { try repairer.repair(.cut) }
      storage.heal()
      calls += 1
    }
    storage.fail(.rename, of: log.parts[3].name, times: 1)
    #expect(throws: RepairError.self) { try repairer.finish() }
    storage.heal()
    #expect(try repairer.isUnfinished)
    #expect(try FileStorage().list(path + "/log").contains { $0.hasSuffix(".repaired") })
    #expect(try !FileStorage().list(path + "/log").contains(log.parts[2].name))
  }

  private func expectUnreadable(_ note: String) throws {
    let before = log.directory.snapshot()
    let error = RepairError.log(.repairUnreadable(directory: path))
    #expect(throws: error, "\(note)") { try repairer.finish() }
    #expect(throws: error, "\(note)") { try repairer.repair(.fill) }
    #expect(throws: EventLogError.repairUnfinished(directory: path), "\(note)") {
      try log.directory.open().close()
    }
    #expect(log.directory.snapshot() == before, "\(note)")
  }

  @Test("It says again what was written down, whatever the names of strange files")
  func roundTrip() throws {
    let names = ["a b.seg", " .seg", "%0A.seg", "a\nb%25\r\n.seg", "é.seg", "keep.seg"]
    let header = [UInt8](repeating: 0xA5, count: SegmentHeader.size)
    for record in [Array("{}".utf8), Array(#"{"é":"\n"}"#.utf8)] {
      let journal = RepairJournal(
        folder: "1970-01-01T00:00:00Z",
        steps: names.map { .keep($0) } + [.place("1.seg"), .header("2.seg", header), .discard],
        record: record)
      #expect(RepairJournal(journal.encoded()) == journal)
      var rest = journal
      rest.steps = []
      #expect(RepairJournal(rest.encoded()) == rest)
    }
  }

  @Test("An interrupted repair keeps a strange file, too")
  func strangeName() throws {
    try writeFile(path + "/log/a b.seg", [1])
    try interrupt()
    try repairer.finish()
    #expect(try log.verify().damages == [])
    let folder = try #require(try FileStorage().list(path + "/removed").sorted().last)
    #expect(try readFile(path + "/removed/" + folder + "/a b.seg") == [1])
  }

  @Test("A damaged journal is named, and nothing is changed", arguments: SeededRandom.seeds(1))
  func damaged(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    try interrupt()
    let good = try readFile(journal)
    for index in good.indices {
      var bytes = good
      bytes[index] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      try writeFile(journal, bytes)
      try expectUnreadable("seed \(seed), byte \(index)")
    }
    for count in [0, 1, 16, 17, good.count / 2, good.count - 1] {
      try writeFile(journal, Array(good[..<count]))
      try expectUnreadable("cut to \(count)")
    }
    try writeFile(journal, good + [10])
    try expectUnreadable("one byte more")
    #expect("\(RepairError.log(.repairUnreadable(directory: path)))".contains(journal))
    try writeFile(journal, good)
    try repairer.finish()
    #expect(try log.verify().damages == [])
  }

  @Test("What the error says to do makes the log as it was, to be repaired again")
  func wayOut() throws {
    try interrupt()
    let files = FileStorage()
    let folder = try #require(try files.list(path + "/removed").sorted().last)
    let kept = path + "/removed/" + folder
    for name in try files.list(kept) where name.hasSuffix(FileFormat.segmentSuffix) {
      try files.rename(kept + "/" + name, to: path + "/log/" + name)
    }
    try files.remove(journal)
    let outcome = try repairer.repair(.fill)
    #expect(outcome.lost == 1 && outcome.head == UInt64(log.events.count) + 1)
    #expect(try log.verify().damages == [])
  }

  @Test("A journal that cannot be opened is not taken for none", arguments: [EACCES, EIO, EMFILE])
  func unopened(code: CInt) throws {
    try interrupt()
    let before = log.directory.snapshot()
    let cause = StorageError(.open, path: journal, code: code)
    storage.fail(.open, of: "repair.journal", code: code, times: .max)
    #expect(throws: RepairError.log(.storage(cause))) { try repairer.isUnfinished }
    #expect(throws: RepairError.log(.storage(cause))) { try repairer.finish() }
    #expect(throws: RepairError.log(.storage(cause))) { try repairer.repair(.cut) }
    #expect(throws: EventLogError.storage(cause)) {
      try LogVerifier(directory: path, storage: storage).verify()
    }
    #expect(throws: EventLogError.storage(cause)) {
      try log.directory.open(storage: storage).close()
    }
    storage.heal()
    #expect(log.directory.snapshot() == before)
  }

  @Test("A directory under the journal's name is no sign of a finished repair")
  func directory() throws {
    try FileStorage().createDirectory(journal)
    #expect(throws: RepairError.self) { try repairer.finish() }
    #expect(throws: EventLogError.self) { try log.directory.open().close() }
  }

  @Test("What is in the way of derived files does not keep a repair from its end")
  func obstacles() throws {
    let files = FileStorage()
    try damage()
    for name in (try? files.list(path + "/snapshots")) ?? [] {
      try files.remove(path + "/snapshots/" + name)
    }
    rmdir(path + "/snapshots")
    try writeFile(path + "/snapshots", [1])
    try files.createDirectory(path + "/views/folder")
    try files.createDirectory(path + "/erasures")
    try writeFile(path + "/views/list.db", [1])
    _ = try repairer.repair(.cut)
    #expect(try !repairer.isUnfinished)
    #expect(try log.verify().damages == [])
    #expect(try files.list(path + "/views") == ["folder"])
    #expect(try readFile(path + "/snapshots") == [1])
  }
}
