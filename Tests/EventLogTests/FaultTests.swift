import ActorRuntime
import EventSourcing
import Glibc
import Testing

@testable import EventLog

@Suite("A disk that fails")
struct FaultTests {
  struct Fault: Sendable, CustomTestStringConvertible {
    let operation: StorageError.Operation
    let code: CInt
    var partialWrite = 0

    var testDescription: String { "\(operation) \(code) \(partialWrite)" }
  }

  private static let faults = [
    Fault(operation: .write, code: ENOSPC), Fault(operation: .write, code: EIO, partialWrite: 100),
    Fault(operation: .write, code: ENOSPC, partialWrite: 1 << 20),
    Fault(operation: .sync, code: EIO), Fault(operation: .sync, code: ENOSPC),
  ]

  /// Waits until the log takes events again.
  private func appendUntilTaken(_ store: SegmentedEventStore, _ batch: AppendBatch) -> AppendResult
  {
    while true {
      let result = store.appendAndWait(batch)
      guard case .failure(.readOnly) = result else { return result }
    }
  }

  @Test("One failure: a typed refusal after the cut, reads go on, writes resume", arguments: faults)
  func oneFailure(fault: Fault) throws {
    let directory = TemporaryDirectory()
    let storage = FaultyStorage()
    let store = try directory.open(storage: storage)
    store.appendAndWait(AppendBatch(stream("a"), [10, 20]))
    let events = try store.everything()
    let end = store.statistics.bytes
    // The cut back takes a while: the first two tries fail too.
    storage.fail(
      fault.operation, code: fault.code, times: 1, partialWrite: fault.partialWrite)
    storage.fail(.truncate, code: EIO, times: 2)
    let lengthAtAnswer = Lock<[Bool]>([])
    let answers = Answers()
    for _ in 0..<3 {
      store.append(
        AppendBatch(stream("a"), [30], expecting: .exactly(Revision(2)), command: command("c"))
      ) { result in
        // Nobody is told before the file is cut back.
        let bytes = (try? readFile(directory.segment(1))) ?? []
        lengthAtAnswer.withLock { $0.append(bytes.dropFirst(end).allSatisfy { $0 == 0 }) }
        answers.take(result)
      }
    }
    let results = answers.wait(for: 3)
    guard case .failure(.readOnly(let reason)) = results[0] else {
      Issue.record("no refusal: \(results[0])")
      return
    }
    #expect(reason.contains("00000000000000000001.seg"))
    #expect(lengthAtAnswer.withLock { $0 }.first == true)
    #expect(Array(try store.everything()[..<2]) == events)
    #expect(
      try store.command(command("c"), in: stream("a")) == nil
        || results.contains { $0.error == nil })
    let result = appendUntilTaken(store, AppendBatch(stream("b"), [5]))
    let taken = results.count { $0.error == nil }
    #expect(result.value?.first.rawValue == UInt64(3 + taken))
    #expect(store.statistics.readOnlyReason == nil)
    let all = try store.everything()
    store.close()
    let again = try directory.open()
    #expect(again.statistics.recoveryNote == nil)
    #expect(try again.everything() == all)
    again.close()
  }

  @Test("While the disk is full everything is refused at once and can be read; then it resumes")
  func fullForLong() throws {
    let directory = TemporaryDirectory()
    let storage = FaultyStorage()
    let store = try directory.open(storage: storage)
    store.appendAndWait(AppendBatch(stream("a"), [10, 20]))
    let events = try store.everything()
    storage.fail(.write, code: ENOSPC, times: .max)
    for _ in 0..<5 {
      let error = store.appendAndWait(AppendBatch(stream("a"), [30])).error
      #expect(
        error
          == .readOnly(
            reason: "cannot write 00000000000000000001.seg: No space left on device"))
      #expect(store.statistics.readOnlyReason != nil)
      #expect(try store.everything() == events)
      #expect(store.head.rawValue == 2)
    }
    // A restart works, too.
    store.close()
    let again = try directory.open(storage: storage)
    #expect(try again.everything() == events)
    #expect(again.appendAndWait(AppendBatch(stream("a"), [30])).error != nil)
    storage.heal()
    let result = appendUntilTaken(
      again, AppendBatch(stream("a"), [30], expecting: .exactly(Revision(2))))
    #expect(result.value?.first.rawValue == 3)
    again.close()
  }

  @Test("No room at the start: read-only, not refused")
  func fullAtStart() throws {
    let directory = TemporaryDirectory()
    let storage = FaultyStorage()
    try directory.open(storage: storage).close()
    storage.fail(.preallocate, code: ENOSPC, times: 2)
    let store = try directory.open(storage: storage)
    #expect(store.statistics.readOnlyReason != nil)
    let result = appendUntilTaken(store, AppendBatch(stream("a"), [1]))
    #expect(result.value?.first.rawValue == 1)
    store.close()
  }

  @Test("The step to the next segment fails at any call of it", arguments: 0..<9)
  func rotation(step: Int) throws {
    let directory = TemporaryDirectory()
    let storage = FaultyStorage()
    var store = try directory.open(storage: storage)
    var expected = 0
    func append() {
      if store.appendAndWait(AppendBatch(stream("a"), [3000])).error == nil { expected += 1 }
    }
    while store.statistics.bytes + 4000 < 16 << 10 { append() }
    switch step {
    case 0: storage.fail(.truncate, code: EIO)
    case 1: storage.fail(.open, of: ".seg.tmp", code: ENOSPC, times: 2)
    case 2: storage.fail(.write, of: ".seg.tmp", code: ENOSPC, times: 3)
    case 3: storage.fail(.preallocate, of: ".seg.tmp", code: ENOSPC)
    case 4: storage.fail(.sync, of: ".seg.tmp", code: EIO)
    case 5: storage.fail(.rename, of: ".seg.tmp", code: EIO)
    case 6: storage.fail(.syncDirectory, of: "/log", code: EIO, times: 2)
    case 7: storage.fail(.write, of: ".idx", code: ENOSPC, times: .max)
    default: storage.fail(.rename, of: ".idx", code: EIO, times: .max)
    }
    for _ in 0..<6 { append() }
    let result = appendUntilTaken(store, AppendBatch(stream("a"), [1]))
    #expect(result.value?.first.rawValue == UInt64(expected + 1))
    #expect(store.statistics.segments >= 2)
    let all = try store.everything()
    #expect(all.map(\.position.rawValue) == Array(1...UInt64(expected + 1)))
    store.close()
    store = try directory.open()
    #expect(try store.everything() == all)
    store.close()
  }

  @Test("A write is never tried again on the descriptor that failed")
  func freshDescriptor() throws {
    let directory = TemporaryDirectory()
    let storage = FaultyStorage()
    let store = try directory.open(storage: storage)
    store.appendAndWait(AppendBatch(stream("a"), [1]))
    let known = storage.calls.count
    storage.fail(.sync, code: EIO)
    store.appendAndWait(AppendBatch(stream("a"), [1]))
    let name = FileFormat.segmentName(first: 1)
    let calls = storage.calls[known...].filter { $0.hasSuffix(name) }
    #expect(
      Array(calls.prefix(5))
        == ["write \(name)", "sync \(name)", "open \(name)", "truncate \(name)", "sync \(name)"])
    store.close()
  }
}
