import ActorRuntime
import Digests
import EventSourcing
import FastJSON
import SwipestreamTesting
import Testing

@Suite("The in-memory event store")
struct InMemoryEventStoreTests {
  private let store = InMemoryEventStore()

  private func batch(
    at seconds: Int64, _ parts: [(StreamID, ExpectedRevision, Int)], command: CommandID? = nil
  ) -> AppendBatch {
    var batch = AppendBatch(time: Timestamp(microseconds: seconds * 1_000_000))
    for (stream, expected, count) in parts {
      batch.begin(stream, expecting: expected)
      for number in 0..<count {
        let isLast = command != nil && number == count - 1
        batch.add(
          "test.happened", command: isLast ? command.map { CommandKey($0, in: stream) } : nil,
          data: { $0.raw(Array("{}".utf8)) },
          meta: { writer in
            EventMeta.write(
              command: command ?? CommandID("c")!, via: nil, metadata: CommandMetadata(),
              completion: isLast
                ? EventMeta.Completion(
                  content: ContentHash(rawValue: 7), eventCount: count,
                  outcome: Array("{\"mail\":1}".utf8)) : nil, to: &writer)
          })
      }
    }
    return batch
  }

  private func append(_ batch: AppendBatch) -> Result<AppendReceipt, AppendError>? {
    let answer = Lock<Result<AppendReceipt, AppendError>?>(nil)
    store.append(batch) { result in answer.withLock { $0 = result } }
    return answer.withLock { $0 }
  }

  @Test("appends all streams of a batch or none, and says which is in conflict")
  func atomicity() throws {
    #expect(
      append(
        batch(at: 1, [(inbox, .noStream, 2), (todo, .any, 1), (inbox, .exactly(Revision(2)), 1)]))
        == .success(AppendReceipt(first: GlobalPosition(1))))
    #expect(
      append(batch(at: 2, [(todo, .any, 1), (inbox, .exactly(Revision(2)), 1)]))
        == .failure(.conflict(inbox, actual: Revision(3))))
    #expect(store.head == GlobalPosition(4))
    #expect(try store.revision(of: todo) == Revision(1))
    let events = try store.read(after: .start, limit: ReadLimit(events: 10))
    #expect(events.map(\.position.rawValue) == [1, 2, 3, 4])
    #expect(events.map(\.revision.rawValue) == [1, 2, 1, 3])
    let backwards = try store.read(before: GlobalPosition(4), limit: ReadLimit(events: 2))
    #expect(backwards.map(\.position.rawValue) == [3, 2])
    let stream = try store.read(inbox, after: Revision(1), limit: ReadLimit(events: 9, bytes: 1))
    #expect(stream.map(\.position.rawValue) == [2])
  }

  @Test("never lets time go back, and finds positions by it")
  func time() throws {
    for seconds in [5, 3, 8] as [Int64] { _ = append(batch(at: seconds, [(inbox, .any, 1)])) }
    let events = try store.read(after: .start, limit: ReadLimit(events: 10))
    #expect(events.map { $0.time.microseconds / 1_000_000 } == [5, 5, 8])
    let expected: [Int64: UInt64] = [4: 0, 5: 2, 7: 2, 8: 3, 9: 3]
    for (seconds, position) in expected {
      let found = try store.position(at: Timestamp(microseconds: seconds * 1_000_000))
      #expect(found == GlobalPosition(position))
    }
  }

  @Test("finds a command by its id in its stream only")
  func commands() throws {
    let id = try #require(CommandID("first"))
    _ = append(batch(at: 1, [(inbox, .any, 2)], command: id))
    let command = try #require(try store.command(id, in: inbox))
    #expect(command.position == GlobalPosition(2) && command.eventCount == 2)
    #expect(command.outcome == Array("{\"mail\":1}".utf8))
    #expect(try store.command(id, in: todo) == nil)
  }

  @Test("tells observers each new head until they end, and refuses while told to")
  func observers() throws {
    let heads = Lock<[GlobalPosition]>([])
    let observation = store.observeHead { head in heads.withLock { $0.append(head) } }
    _ = append(batch(at: 1, [(inbox, .any, 2)]))
    store.refuseAppends(because: "full")
    #expect(append(batch(at: 1, [(inbox, .any, 1)])) == .failure(.readOnly(reason: "full")))
    store.refuseAppends(because: nil)
    _ = append(batch(at: 1, [(inbox, .any, 1)]))
    store.cancel(observation)
    _ = append(batch(at: 1, [(inbox, .any, 1)]))
    #expect(heads.withLock { $0 } == [GlobalPosition(2), GlobalPosition(3)])
  }
}
