import ActorRuntime
import EventSourcing
import FastJSON
import SwipestreamTesting
import Testing

// What it has in common with every engine is in the engines' conformance suite.
@Suite("The in-memory event store")
struct InMemoryEventStoreTests {
  private let store = InMemoryEventStore()

  private func append() -> Result<AppendReceipt, AppendError>? {
    var batch = AppendBatch(time: Timestamp(microseconds: 1))
    batch.begin(inbox, expecting: .any)
    batch.add(
      "test.happened", data: { $0.raw(Array("{}".utf8)) }, meta: { $0.raw(Array("{}".utf8)) })
    let answer = Lock<Result<AppendReceipt, AppendError>?>(nil)
    store.append(batch) { result in answer.withLock { $0 = result } }
    return answer.withLock { $0 }
  }

  @Test("refuses appends while told to, and says why")
  func refusedAppends() throws {
    store.refuseAppends(because: "full")
    #expect(append() == .failure(.readOnly(reason: "full")))
    #expect(store.statistics.readOnlyReason == "full")
    store.refuseAppends(because: nil)
    #expect(append() == .success(AppendReceipt(first: GlobalPosition(1))))
  }

  @Test("fails reads while told to")
  func failedReads() throws {
    _ = append()
    store.failReads(with: .failed(reason: "gone"))
    #expect(throws: ReadError.failed(reason: "gone")) { try store.revision(of: inbox) }
    #expect(throws: ReadError.failed(reason: "gone")) {
      try store.read(after: .start, limit: ReadLimit(events: 1))
    }
    store.failReads(with: nil)
    #expect(try store.revision(of: inbox) == Revision(1))
  }
}
