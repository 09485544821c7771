import EventSourcing
import SwipestreamTesting
import Testing

@testable import EventLog

struct StreamTableTests {
  @Test("Numbers are given in order, and found again by name", arguments: SeededRandom.seeds(4))
  func numbers(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    var table = StreamTable()
    var known: [StreamID: Int] = [:]
    for _ in 0..<5000 {
      let category = random.chance(oneIn: 2) ? "mailbox" : "list"
      let length = Int.random(in: 1...40, using: &random)
      // Few names of each length, so that many come again.
      let name = String(repeating: "n", count: length) + "\(Int.random(in: 0..<20, using: &random))"
      let stream = try StreamID("\(category)/\(name)")
      let hash = StreamTable.Hash(of: stream)
      #expect(table.find(stream, hash) == known[stream], "seed \(seed)")
      let number = table.number(of: stream, hash)
      #expect(number == known[stream] ?? known.count, "seed \(seed)")
      known[stream] = number
      #expect(table[number] == stream)
    }
    #expect(table.count == known.count && known.count > 500)
    table.removeAll()
    for stream in known.keys { #expect(table.find(stream, StreamTable.Hash(of: stream)) == nil) }
  }

  @Test("The writer counts on from what it looked up, per segment and within its limit")
  func writerStreams() {
    let streams = WriterStreams(limit: 10)
    var live = LiveIndex(end: 0)
    let earlier = live.number(of: stream("9"), StreamTable.Hash(of: stream("9")))
    streams.begin(segment: 1)
    for name in 0..<10 {
      let number = streams.number(of: stream("\(name)"))
      #expect(streams.revision(of: number) == nil)
      streams.setRevision(UInt64(name), of: number)
    }
    streams.trim()
    let ninth = streams.number(of: stream("9"))
    #expect(streams.revision(of: ninth) == 9)
    #expect(streams.place(of: ninth, in: &live) == earlier)
    var next = LiveIndex(end: 0)
    streams.begin(segment: 2)
    #expect(streams.place(of: streams.number(of: stream("5")), in: &next) == 0)
    #expect(streams.place(of: ninth, in: &next) == 1)
    // Numbered, and without a record.
    #expect(next.postings(of: stream("9")) == nil && next.streams.isEmpty)
    _ = streams.number(of: stream("10"))
    streams.trim()
    #expect(streams.revision(of: streams.number(of: stream("9"))) == nil)
  }
}
