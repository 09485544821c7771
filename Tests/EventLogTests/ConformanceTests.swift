import EventLog
import EventSourcing
import SwipestreamTesting
import Testing

@Suite("Engine conformance")
struct ConformanceTests {
  @Test("The store in memory", arguments: ConformanceCheck.all)
  func inMemory(check: ConformanceCheck) throws {
    try EventStoreConformance(makeStore: { InMemoryEventStore() }, close: { $0.close() })
      .run(check)
  }

  @Test("The embedded engine, its segments small", arguments: ConformanceCheck.all)
  func segmented(check: ConformanceCheck) throws {
    let directory = TemporaryDirectory()
    var configuration = smallConfiguration()
    configuration.commandHorizon = 50
    let limits = configuration
    try EventStoreConformance(
      horizon: 50, makeStore: { try directory.open(limits) }, close: { $0.close() }
    ).run(check)
  }

  @Test("The embedded engine as it is configured by default", arguments: ConformanceCheck.all)
  func byDefault(check: ConformanceCheck) throws {
    let storage = SimulatedStorage()
    try EventStoreConformance(
      makeStore: { try SegmentedEventStore.open(directory: "/data", storage: storage) },
      close: { $0.close() }
    ).run(check)
  }
}
