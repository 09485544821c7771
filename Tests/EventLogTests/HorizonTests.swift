import EventSourcing
import SwipestreamTesting
import Testing

@testable import EventLog

@Suite("Command horizon")
struct HorizonTests {
  @Test("It holds the last ones, and forgets the oldest first", arguments: SeededRandom.seeds(4))
  func eviction(seed: UInt64) {
    print("SWIPESTREAM_SEED=\(seed)")
    var random = SeededRandom(seed: seed)
    let limit = Int.random(in: 1...3000, using: &random)
    var horizon = CommandHorizon(limit: limit)
    var inserted: [(key: UInt64, position: UInt64)] = []
    for position in 1...UInt64(3 * limit) {
      // Few enough keys that some come again, most of them neighbours in the table.
      let key = UInt64.random(in: 1...UInt64(2 * limit), using: &random)
      horizon.insert(key: key, position: position)
      inserted.append((key, position))
    }
    var expected: [UInt64: UInt64] = [:]
    for (key, position) in inserted.suffix(limit) { expected[key] = position }
    #expect(horizon.count == limit)
    for key in 1...UInt64(2 * limit) { #expect(horizon.position(of: key) == expected[key]) }
  }

  @Test("It is the same after a restart, and no more is known than it says")
  func restart() throws {
    let directory = TemporaryDirectory()
    var configuration = smallConfiguration(segmentBytes: 8 << 10)
    configuration.commandHorizon = 50
    var store = try directory.open(configuration)
    for index in 0..<120 {
      store.appendAndWait(
        AppendBatch(stream("a"), [index], command: command("c\(index)")))
    }
    for _ in 0..<2 {
      for index in 0..<120 {
        let found = try store.command(command("c\(index)"), in: stream("a"))
        #expect(found?.position.rawValue == (index < 70 ? nil : UInt64(index + 1)))
        if let found {
          #expect(found.content == ContentHash(rawValue: UInt64(index)))
          #expect(found.eventCount == 1)
          #expect(found.revision.rawValue == UInt64(index + 1))
          #expect(found.outcome == Array("{}".utf8))
        }
        #expect(try store.command(command("c\(index)"), in: stream("b")) == nil)
      }
      store.close()
      store = try directory.open(configuration)
    }
    store.close()
  }

  @Test("Of an id used again behind the horizon the newer command counts")
  func again() throws {
    let directory = TemporaryDirectory()
    let store = try directory.open()
    for _ in 0..<2 {
      store.appendAndWait(AppendBatch(stream("a"), [1, 2], command: command("c")))
    }
    #expect(try store.command(command("c"), in: stream("a"))?.position.rawValue == 4)
    store.close()
  }

  @Test("A smaller horizon forgets more, a larger one finds again what the log still has")
  func otherHorizons() throws {
    let directory = TemporaryDirectory()
    var configuration = smallConfiguration(segmentBytes: 8 << 10)
    let store = try directory.open(configuration)
    for index in 0..<120 {
      store.appendAndWait(AppendBatch(stream("a"), [index], command: command("c\(index)")))
    }
    #expect(store.statistics.segments > 3)
    store.close()
    for limit in [1, 30, 500, 7, 119, 120] {
      configuration.commandHorizon = limit
      let store = try directory.open(configuration)
      #expect(store.statistics.rememberedCommands == min(limit, 120))
      for index in 0..<120 {
        let found = try store.command(command("c\(index)"), in: stream("a"))
        #expect(found?.position.rawValue == (index < 120 - limit ? nil : UInt64(index + 1)))
      }
      store.close()
    }
  }

  @Test("A remembered command costs 32 to 48 bytes", arguments: [100_000, 131_072, 300_000])
  func memory(count: Int) {
    var random = SeededRandom(seed: 1)
    var horizon = CommandHorizon(limit: count)
    // What it takes when it is empty, and a chunk of keys and of positions that has just begun.
    let fixed = horizon.allocatedBytes + 2 * (64 << 10) + (1 << 10)
    var largestStep = 0
    var before = horizon.allocatedBytes
    for position in 1...UInt64(2 * count) {
      horizon.insert(key: random.next(), position: position)
      guard position % 16 == 0 else { continue }
      let now = horizon.allocatedBytes
      largestStep = max(largestStep, now - before)
      before = now
    }
    #expect(horizon.count == count)
    #expect(horizon.allocatedBytes - fixed <= 48 * count)
    #expect(horizon.allocatedBytes >= 32 * count)
    #expect(largestStep <= 512 << 10, "it grows in small steps")
  }
}
