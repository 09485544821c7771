import ActorRuntime
import EventSourcing
import Glibc
import SwipestreamTesting
import Testing

@testable import EventLog

// What it has in common with every engine is in the conformance suite.
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

  @Test("A conflict in a later part of a stream takes its earlier parts back")
  func conflictWithinOneStream() throws {
    let directory = TemporaryDirectory()
    let store = try directory.open()
    #expect(store.appendAndWait(AppendBatch(stream("a"), [1, 1])).error == nil)
    var parts = AppendBatch(stream("a"), [1], expecting: .exactly(Revision(2)))
    parts.add(stream("b"), [1, 1], expecting: .noStream)
    parts.add(stream("a"), [1, 1], expecting: .exactly(Revision(3)))
    parts.add(stream("b"), [1], expecting: .exactly(Revision(7)))
    #expect(
      store.appendAndWait(parts).error == .conflict(stream("b"), actual: Revision(2)))
    #expect(try store.revision(of: stream("a")) == Revision(2))
    #expect(try store.revision(of: stream("b")) == .none)
    let next = AppendBatch(stream("a"), [1], expecting: .exactly(Revision(2)))
    #expect(store.appendAndWait(next) == .success(AppendReceipt(first: GlobalPosition(3))))
    #expect(store.appendAndWait(AppendBatch(stream("b"), [1], expecting: .noStream)).error == nil)
    #expect(try store.everything().map(\.revision.rawValue) == [1, 2, 3, 1])
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
