import ActorRuntime
import EventSourcing
import Testing

@testable import EventLog

@Suite("Background check")
struct ScrubTests {
  private let log: SealedLog

  init() throws { log = try SealedLog() }

  /// Runs one pass to its end.
  private func scrub(
    _ store: SegmentedEventStore, _ configuration: ScrubConfiguration
  ) async -> (status: ScrubStatus?, told: [LogDamage]) {
    let told = Monitor<[LogDamage]>([])
    let scrubber = LogScrubber(store: store, configuration: configuration) { damage in
      told.change { $0.append(damage) }
    }
    await scrubber.start()
    while store.statistics.scrub?.state == .running {
      try? await Task.sleep(nanoseconds: 1_000_000)
    }
    await scrubber.stop()
    return (store.statistics.scrub, told.change { $0 })
  }

  private var fast: ScrubConfiguration {
    var configuration = ScrubConfiguration()
    configuration.bytesPerSecond = 1 << 30
    return configuration
  }

  @Test("A whole log is found fine; every sealed segment is looked at, the newest is not")
  func fine() async throws {
    let store = try log.directory.open(storage: log.storage)
    let before = log.directory.snapshot()
    let (status, told) = await scrub(store, fast)
    #expect(status?.state == .waiting && status?.passes == 1 && status?.damage == [])
    #expect(status?.lastCompleted != nil && told == [])
    let newest = log.parts[3]
    try log.change(newest) { $0[newest.records[1].bytes.lowerBound + 70] ^= 1 }
    #expect(await scrub(store, fast).told == [])
    try log.restore(newest)
    #expect(log.directory.snapshot() == before)
    store.close()
  }

  @Test("Damage in any sealed segment, header or content, is told with its place")
  func damage() async throws {
    let store = try log.directory.open(storage: log.storage)
    let record = log.parts[1].records[4]
    try log.change(log.parts[0]) { $0[2000] ^= 1 }
    try log.change(log.parts[1]) { $0[record.bytes.lowerBound + 70] ^= 1 }
    try log.change(log.parts[2]) { $0.removeLast(100) }
    let (status, told) = await scrub(store, fast)
    let found = Dictionary(grouping: status?.damage ?? [], by: \.file)
    #expect(found[log.parts[0].name]?.map(\.offset) == [0])
    let inContent = try #require(found[log.parts[1].name]?.first)
    #expect(inContent.positions == record.position...record.position)
    #expect(inContent.offset == record.bytes.lowerBound)
    #expect(found[log.parts[2].name] != nil)
    #expect(told.count == status?.damage.count)
    for part in log.parts { try log.restore(part) }
    store.close()
  }

  @Test("It is off when told so, and stops in the middle of a slow read")
  func offAndSlow() async throws {
    let store = try log.directory.open(storage: log.storage)
    var configuration = ScrubConfiguration()
    configuration.bytesPerSecond = 0
    #expect(await scrub(store, configuration).status == ScrubStatus(state: .off))
    configuration.bytesPerSecond = 1
    let scrubber = LogScrubber(store: store, configuration: configuration) { _ in }
    await scrubber.start()
    await scrubber.stop()
    #expect(store.statistics.scrub?.passes == 0)
    store.close()
  }
}
