/// What was written to the newest segment and waits for the sync: enough to index it then.
struct WrittenGroup {
  private struct Record {
    let offset: UInt32
    let time: Int64
    let command: UInt64
  }

  private struct Part {
    /// Its number with the writer.
    let stream: Int
    let firstRevision: UInt64
    let ordinals: Range<Int>
  }

  private let streams: WriterStreams
  private var records: [Record] = []
  private var parts: [Part] = []
  private(set) var commands: [LiveIndex.Command] = []
  /// The position of the last record.
  private(set) var head: UInt64 = 0
  var end = 0

  init(streams: WriterStreams) { self.streams = streams }

  @inline(__always)
  mutating func add(
    offset: Int, position: UInt64, ordinal: Int, time: Int64, command: UInt64
  ) {
    records.append(Record(offset: UInt32(offset), time: time, command: command))
    if command != 0 { commands.append(LiveIndex.Command(key: command, ordinal: UInt32(ordinal))) }
    head = position
  }

  /// - Parameter stream: its number with the writer.
  mutating func add(_ stream: Int, firstRevision: UInt64, ordinals: Range<Int>) {
    parts.append(Part(stream: stream, firstRevision: firstRevision, ordinals: ordinals))
  }

  func index(into live: inout LiveIndex) {
    for record in records {
      live.add(offset: record.offset, time: record.time, command: record.command)
    }
    for part in parts {
      live.add(
        streams.place(of: part.stream, in: &live), firstRevision: part.firstRevision,
        ordinals: part.ordinals)
    }
    live.close(batchEnd: end)
  }

  /// Forgets all, keeps the memory.
  mutating func removeAll() {
    records.removeAll(keepingCapacity: true)
    parts.removeAll(keepingCapacity: true)
    commands.removeAll(keepingCapacity: true)
  }
}
