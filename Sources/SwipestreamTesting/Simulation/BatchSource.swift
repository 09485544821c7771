internal import EventSourcing
internal import FastJSON

/// Batches of all shapes, each with a text of its own, so that no two can be taken for one another.
struct BatchSource {
  private let streams: [StreamID]
  private var number = 0
  private var time: Int64 = 1_000_000

  init() {
    streams = (0..<9).compactMap { try? StreamID("list/s\($0)") }
  }

  mutating func next(_ random: inout SeededRandom, model: LogModel) -> AppendBatch {
    // The clock that decisions are stamped by steps both ways.
    time += Int64.random(in: -500...800, using: &random)
    var batch = AppendBatch(time: Timestamp(microseconds: time))
    if random.chance(oneIn: 40) { return batch }
    for _ in 0..<(random.chance(oneIn: 3) ? Int.random(in: 2...4, using: &random) : 1) {
      addPart(to: &batch, &random, model)
    }
    return batch
  }

  /// A small batch that nothing but the storage can stand in the way of.
  mutating func plain() -> AppendBatch {
    var batch = AppendBatch(time: Timestamp(microseconds: time))
    batch.begin(streams[0], expecting: .any)
    addEvent(to: &batch, of: streams[0], length: 20, command: nil, count: 1)
    return batch
  }

  private mutating func addPart(
    to batch: inout AppendBatch, _ random: inout SeededRandom, _ model: LogModel
  ) {
    let stream = streams[Int.random(in: 0..<streams.count, using: &random)]
    batch.begin(stream, expecting: expected(stream, &random, model))
    let count = Int.random(in: 1...(random.chance(oneIn: 6) ? 30 : 4), using: &random)
    number += 1
    // Now and then an id that was used before.
    let isOld = random.chance(oneIn: 20)
    let id = CommandID("c\(isOld ? Int.random(in: 1...number, using: &random) : number)")
    for index in 0..<count {
      let length = Self.length(&random)
      let isLast = index == count - 1
      addEvent(to: &batch, of: stream, length: length, command: isLast ? id : nil, count: count)
    }
  }

  private func expected(
    _ stream: StreamID, _ random: inout SeededRandom, _ model: LogModel
  ) -> ExpectedRevision {
    switch Int.random(in: 0..<8, using: &random) {
    case 0: .noStream
    case 1, 2: .exactly(model.revision(of: stream))
    case 3: .exactly(Revision(UInt64.random(in: 1...20, using: &random)))
    default: .any
    }
  }

  /// Mostly short, some of several sectors, few longer than a segment.
  private static func length(_ random: inout SeededRandom) -> Int {
    switch Int.random(in: 0..<60, using: &random) {
    case 0: Int.random(in: 9_000...30_000, using: &random)
    case 1..<6: Int.random(in: 400...4_000, using: &random)
    default: Int.random(in: 0...300, using: &random)
    }
  }

  private mutating func addEvent(
    to batch: inout AppendBatch, of stream: StreamID, length: Int, command: CommandID?, count: Int
  ) {
    number += 1
    let text = "\(number) " + String(repeating: "x", count: length)
    batch.add(
      number % 3 == 0 ? "item.edited" : "item.added", schema: UInt16(1 + number % 2),
      command: command.map { CommandKey($0, in: stream) },
      data: { writer in
        writer.beginObject()
        writer.key("text")
        writer.value(text)
        writer.endObject()
      },
      meta: { writer in
        guard let id = command ?? CommandID("of \(number)") else { return }
        EventMeta.write(
          command: id, via: nil, metadata: CommandMetadata(),
          completion: command.map { _ in
            EventMeta.Completion(
              content: ContentHash(rawValue: UInt64(number)), eventCount: count,
              outcome: Array("{\"item\":\(number)}".utf8))
          }, to: &writer)
      })
  }
}
