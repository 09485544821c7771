import EventSourcing
import FastJSON
import SwipestreamTesting
import Testing
import Wire

/// Events written in one piece are what they are one by one.
struct EventWriterTests {
  private static let types: [EventType] = [
    "item.edited", "mail.flagged", "", "a\"b\\c", "née", "line\n", "\u{7F}",
  ]

  private func event(_ random: inout SeededRandom) throws -> RecordedEvent {
    let numbers: [UInt64] = [0, 9, 10, 99, 100, 12_345, .max, UInt64(Int64.max)]
    let length = random.chance(oneIn: 20) ? 5000 : Int.random(in: 0...90, using: &random)
    // Mostly within a second or two of one another, as along a log.
    let base = random.chance(oneIn: 10) ? Int64.random(in: .min ... .max, using: &random) : 0
    return RecordedEvent(
      position: GlobalPosition(
        random.chance(oneIn: 2)
          ? numbers.randomElement(using: &random) ?? 0
          : .random(in: 0...1_000_000_000_000, using: &random)),
      stream: try StreamID(random.chance(oneIn: 2) ? "list/a" : "mailbox/a.long@name/with+parts"),
      revision: Revision(numbers.randomElement(using: &random) ?? 0),
      type: Self.types.randomElement(using: &random) ?? "",
      schema: random.chance(oneIn: 2) ? 1 : .random(in: 0 ... .max, using: &random),
      time: Timestamp(microseconds: base + .random(in: -1_500_000...1_500_000, using: &random)),
      data: [UInt8](repeating: UInt8(ascii: "d"), count: length)[...],
      meta: Array("{}".utf8)[...])
  }

  @Test(arguments: SeededRandom.seeds(20))
  func writesWhatTheOtherWriterWrites(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    var writer = EventWriter()
    for _ in 0..<20 {
      var expected = JSONWriter()
      expected.beginArray()
      writer.add("[".utf8)
      for _ in 0..<Int.random(in: 0...60, using: &random) {
        let event = try event(&random)
        let previous = random.chance(oneIn: 4) ? nil : event.position
        event.write(previous: previous, to: &expected)
        event.withView { writer.add($0, previous: previous) }
      }
      expected.endArray()
      writer.add("]".utf8)
      #expect(writer.count == expected.count, "seed \(seed)")
      let isSame = writer.take().withBytes { $0.elementsEqual(expected.bytes) }
      #expect(isSame, "seed \(seed)")
      #expect(writer.isEmpty)
    }
  }
}
