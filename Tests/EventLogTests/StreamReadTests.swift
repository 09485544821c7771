import EventSourcing
import Testing

@testable import EventLog

@Suite("Reading a stream")
struct StreamReadTests {
  @Test("A page of a long stream needs the indexes of its own segments only")
  func pages() throws {
    let directory = TemporaryDirectory()
    var configuration = smallConfiguration(segmentBytes: 8 << 10)
    // Nothing of an index stays in memory.
    configuration.indexCacheBytes = 1
    let storage = FaultyStorage(isSyncing: false)
    let store = try directory.open(configuration, storage: storage)
    defer { store.close() }
    for index in 0..<400 {
      store.appendAndWait(AppendBatch(stream(index % 3 == 0 ? "a" : "b"), [index]))
    }
    #expect(store.statistics.segments > 20)
    var revision = Revision.none
    var found = 0
    while true {
      let before = indexReads(storage)
      let events = try store.read(stream("a"), after: revision, limit: ReadLimit(events: 5))
      if revision > .none { #expect(indexReads(storage) - before <= 8, "behind \(revision)") }
      guard let last = events.last else { break }
      found += events.count
      revision = last.revision
    }
    #expect(found == 134)
  }

  private func indexReads(_ storage: FaultyStorage) -> Int {
    storage.calls.filter { $0.hasPrefix("open") && $0.hasSuffix(".idx") }.count
  }
}
