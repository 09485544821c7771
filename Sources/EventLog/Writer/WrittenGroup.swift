internal import EventSourcing

/// What was written to the newest segment and waits for the sync: enough to index it then.
struct WrittenGroup {
  private struct Record {
    let offset: UInt32
    let time: Int64
    let command: UInt64
  }

  private struct Part {
    let stream: StreamID
    let firstRevision: UInt64
    let ordinals: Range<Int>
  }

  private var records: [Record] = []
  private var parts: [Part] = []
  private(set) var commands: [LiveIndex.Command] = []
  private var revisions: [StreamID: UInt64] = [:]
  /// The position of the last record.
  private(set) var head: UInt64 = 0
  var end = 0

  var isEmpty: Bool { records.isEmpty }

  /// The stream's revision, where the group has events of it.
  func revision(of stream: StreamID) -> UInt64? { revisions[stream] }

  @inline(__always)
  mutating func add(
    offset: Int, position: UInt64, ordinal: Int, time: Int64, command: UInt64
  ) {
    records.append(Record(offset: UInt32(offset), time: time, command: command))
    if command != 0 { commands.append(LiveIndex.Command(key: command, ordinal: UInt32(ordinal))) }
    head = position
  }

  mutating func add(_ stream: StreamID, firstRevision: UInt64, ordinals: Range<Int>) {
    parts.append(Part(stream: stream, firstRevision: firstRevision, ordinals: ordinals))
    revisions[stream] = firstRevision + UInt64(ordinals.count) - 1
  }

  func index(into live: inout LiveIndex) {
    for record in records {
      live.add(offset: record.offset, time: record.time, command: record.command)
    }
    for part in parts {
      live.add(part.stream, firstRevision: part.firstRevision, ordinals: part.ordinals)
    }
    live.close(batchEnd: end)
  }

  /// Forgets all, keeps the memory.
  mutating func removeAll() {
    records.removeAll(keepingCapacity: true)
    parts.removeAll(keepingCapacity: true)
    commands.removeAll(keepingCapacity: true)
    revisions.removeAll(keepingCapacity: true)
  }
}
