import ActorRuntime
import EventSourcing
import Glibc
import SwipestreamTesting
import Testing

@testable import EventLog

@Suite("Appending and reading")
struct AppendTests {
  @Test("What was appended is read back, also after a restart")
  func roundTrip() throws {
    let directory = TemporaryDirectory()
    var store = try directory.open()
    #expect(store.head == .start)
    #expect(try store.everything().isEmpty)
    var batch = AppendBatch(stream("a"), [3, 0], expecting: .noStream, time: 500)
    batch.add(stream("b"), [10])
    batch.add(stream("a"), [1], expecting: .exactly(Revision(2)), command: command("c1"))
    #expect(store.appendAndWait(batch) == .success(AppendReceipt(first: GlobalPosition(1))))
    let events = try store.everything()
    #expect(events.map(\.position.rawValue) == [1, 2, 3, 4])
    #expect(events.map(\.stream) == [stream("a"), stream("a"), stream("b"), stream("a")])
    #expect(events.map(\.revision.rawValue) == [1, 2, 1, 3])
    #expect(events.map(\.schema) == [1, 2, 1, 1])
    #expect(events[1].type == "item.edited")
    #expect(events[0].data.elementsEqual(#"{"text":"xxx"}"#.utf8))
    #expect(events[3].time == Timestamp(microseconds: 500))
    let log = store.logID
    store.close()
    store = try directory.open()
    #expect(store.logID == log)
    #expect(try store.everything() == events)
    #expect(store.statistics.recoveryNote == nil)
    #expect(try store.revision(of: stream("a")) == Revision(3))
    #expect(try store.revision(of: stream("c")) == .none)
    store.close()
  }

  @Test("A conflict uses up no position, and the others of its group succeed")
  func conflict() throws {
    let directory = TemporaryDirectory()
    let store = try directory.open()
    let answers = Answers()
    let gate = Monitor(false)
    // Holds the writer, so that what follows becomes one group.
    store.append(AppendBatch(stream("a"), [1])) { result in
      _ = gate.wait { $0 ? true : nil }
      answers.take(result)
    }
    var twoParts = AppendBatch(stream("c"), [1], expecting: .noStream)
    twoParts.add(stream("a"), [1], expecting: .exactly(Revision(1)))
    for batch in [
      AppendBatch(stream("a"), [1], expecting: .exactly(Revision(1))),
      AppendBatch(stream("b"), [1, 1], expecting: .noStream), twoParts,
      AppendBatch(stream("b"), [1], expecting: .exactly(Revision(2))),
      AppendBatch(stream("c"), [1], expecting: .noStream),
    ] { store.append(batch) { answers.take($0) } }
    gate.change { $0 = true }
    let results = answers.wait(for: 6)
    #expect(results.map { $0.value?.first.rawValue } == [1, 2, 3, nil, 5, 6])
    #expect(results[3].error == .conflict(stream("a"), actual: Revision(2)))
    #expect(try store.everything().count == 6)
    store.close()
  }

  @Test("The limits of a read are kept, and one event is brought whatever its size")
  func limits() throws {
    let directory = TemporaryDirectory()
    let store = try directory.open()
    store.appendAndWait(AppendBatch(stream("a"), [5000, 10, 10, 10, 5000]))
    let start = GlobalPosition.start
    #expect(try store.read(after: start, limit: ReadLimit(events: 9, bytes: 1)).count == 1)
    #expect(try store.read(after: start, limit: ReadLimit(events: 9, bytes: 6000)).count == 4)
    #expect(try store.read(after: start, limit: ReadLimit(events: 2)).count == 2)
    let end = GlobalPosition(.max)
    #expect(
      try store.read(before: end, limit: ReadLimit(events: 3)).map(\.position.rawValue)
        == [5, 4, 3])
    #expect(try store.read(before: end, limit: ReadLimit(events: 9, bytes: 1)).count == 1)
    #expect(try store.read(before: GlobalPosition(1), limit: ReadLimit(events: 3)).isEmpty)
    #expect(try store.read(after: end, limit: ReadLimit(events: 3)).isEmpty)
    let second = try store.read(stream("a"), after: Revision(3), limit: ReadLimit(events: 1))
    #expect(second.map(\.revision.rawValue) == [4])
    store.close()
  }

  @Test("Eight writers, one tailing reader: it sees the log, contiguous and in order")
  func concurrentWriters() throws {
    let directory = TemporaryDirectory()
    let store = try directory.open()
    let writers = 8
    let each = 200
    let expected = writers * each * 2
    let moved = Monitor(UInt64(0))
    let observation = store.observeHead { head in moved.change { $0 = head.rawValue } }
    let tailed = Lock<[RecordedEvent]>([])
    let failures = Lock<[String]>([])
    let reader = NamedThread("tail") {
      var next = GlobalPosition.start
      while next.rawValue < UInt64(expected) {
        let position = next.rawValue
        _ = moved.wait { $0 > position ? true : nil }
        do {
          let events = try store.read(after: next, limit: ReadLimit(events: 100))
          tailed.withLock { $0 += events }
          if let last = events.last { next = last.position }
        } catch {
          return failures.withLock { $0.append("\(error)") }
        }
      }
    }
    let answers = Answers()
    let threads = (0..<writers).map { writer in
      NamedThread("append") {
        for index in 0..<each {
          var batch = AppendBatch(stream("w\(writer)"), [index % 50])
          batch.add(stream("s\(index % 7)"), [index % 90])
          store.append(batch) { answers.take($0) }
        }
      }
    }
    for thread in threads { thread.join() }
    #expect(answers.wait(for: writers * each).allSatisfy { $0.error == nil })
    reader.join()
    store.cancel(observation)
    #expect(failures.withLock { $0 }.isEmpty)
    let seen = tailed.withLock { $0 }
    #expect(seen.map(\.position.rawValue) == Array(1...UInt64(expected)))
    #expect(try store.everything() == seen)
    #expect(store.statistics.segments > 3)
    for name in ["w0", "w7", "s0", "s6"] {
      let own = seen.filter { $0.stream == stream(name) }
      #expect(own.map(\.revision.rawValue) == Array(1...UInt64(own.count)))
      let limit = ReadLimit(events: 10_000, bytes: 1 << 30)
      #expect(try store.read(stream(name), after: .none, limit: limit) == own)
    }
    store.close()
  }

  @Test("A batch larger than a segment gets one of its own")
  func largeBatch() throws {
    let directory = TemporaryDirectory()
    let store = try directory.open()
    store.appendAndWait(AppendBatch(stream("a"), [10]))
    store.appendAndWait(AppendBatch(stream("a"), [40_000, 40_000]))
    store.appendAndWait(AppendBatch(stream("a"), [10]))
    #expect(store.statistics.segments == 3)
    let events = try store.everything()
    #expect(events.map(\.data.count) == [21, 40_011, 40_011, 21])
    store.close()
    let again = try directory.open()
    #expect(try again.everything() == events)
    again.close()
  }

  @Test("A full queue refuses, and a closed log says so")
  func overload() throws {
    let directory = TemporaryDirectory()
    var configuration = smallConfiguration()
    configuration.queueBytes = 2000
    let store = try directory.open(configuration)
    let answers = Answers()
    let gate = Monitor(false)
    store.append(AppendBatch(stream("a"), [1])) { result in
      _ = gate.wait { $0 ? true : nil }
      answers.take(result)
    }
    // Waits until the writer has taken the first one.
    while store.head == .start { sched_yield() }
    for _ in 0..<10 { store.append(AppendBatch(stream("a"), [500])) { answers.take($0) } }
    gate.change { $0 = true }
    let results = answers.wait(for: 11)
    #expect(results[0].error == nil && results[1].error == nil)
    #expect(results[10].error == .overloaded)
    #expect(Int(store.head.rawValue) == results.count { $0.error == nil })
    store.close()
    #expect(store.appendAndWait(AppendBatch(stream("a"), [1])).error == .closed)
  }

  @Test("A second opener is refused; after the first has closed it is not")
  func secondOpener() throws {
    let directory = TemporaryDirectory()
    let store = try directory.open()
    #expect(throws: EventLogError.inUse(directory: directory.path)) { try directory.open() }
    store.close()
    try directory.open().close()
  }

  @Test("What comes after the end is answered after what came before it")
  func closedInOrder() throws {
    let directory = TemporaryDirectory()
    let store = try directory.open()
    let answers = Answers()
    let gate = Monitor(false)
    store.append(AppendBatch(stream("a"), [1])) { result in
      _ = gate.wait { $0 ? true : nil }
      answers.take(result)
    }
    store.append(AppendBatch(stream("a"), [1])) { answers.take($0) }
    let closing = NamedThread("close") { store.close() }
    // Refused batches after the close wait for those before it.
    while !store.queue.isClosed { sched_yield() }
    for _ in 0..<3 { store.append(AppendBatch(stream("a"), [1])) { answers.take($0) } }
    #expect(answers.count == 0)
    gate.change { $0 = true }
    closing.join()
    #expect(answers.wait(for: 5).map { $0.error } == [nil, nil, .closed, .closed, .closed])
    #expect(store.appendAndWait(AppendBatch(stream("a"), [1])).error == .closed)
  }
}
