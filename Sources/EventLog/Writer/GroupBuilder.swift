internal import EventSourcing

/// Puts a group of appends together: checks revisions, gives positions, writes disk batches.
struct GroupBuilder: ~Copyable {
  private let core: LogCore
  private let appender: SegmentAppender
  private var batch = DiskBatch()
  private let streams: WriterStreams
  private var written: WrittenGroup
  /// Where the parts of the append at hand begin; kept for its memory.
  private var starts: [Start] = []
  /// With what is still in `batch`.
  private var position: UInt64
  private var time: Int64

  /// A stream, by its number with the writer, and its revision before a part.
  private struct Start {
    let stream: Int
    let revision: UInt64
  }

  init(core: LogCore, appender: SegmentAppender) {
    self.core = core
    self.appender = appender
    streams = WriterStreams()
    written = WrittenGroup(streams: streams)
    position = appender.durable.position
    time = appender.durable.time
  }

  /// Whether an append of `length` bytes can go into this segment, behind what is there.
  func hasRoom(for length: Int) -> Bool {
    let pending = batch.isEmpty ? 0 : batch.count + BatchTrailer.size
    return appender.hasRoom(for: length + DiskBatch.overhead, behind: pending)
  }

  /// Adds an append, or says why not; then nothing of it was added.
  mutating func add(
    _ append: AppendBatch, length: Int
  ) throws(StorageError) -> Result<AppendReceipt, AppendError> {
    do throws(AppendError) {
      try check(append)
    } catch {
      return .failure(error)
    }
    if !batch.isEmpty, batch.count + length > EventLogConfiguration.diskBatchBytes { try flush() }
    let first = position + 1
    if !append.isEmpty { time = max(time, append.time.microseconds) }
    append.withBytes { bytes in
      for index in append.streams.indices {
        add(append.streams[index], of: append, bytes: bytes, after: starts[index])
      }
    }
    return .success(AppendReceipt(first: GlobalPosition(first)))
  }

  /// Finds each part's present revision, parts before it included, and counts its events.
  private mutating func check(_ append: AppendBatch) throws(AppendError) {
    starts.removeAll(keepingCapacity: true)
    do throws(AppendError) {
      for part in append.streams {
        let stream = streams.number(of: part.stream)
        let known = streams.revision(of: stream)
        let revision = if let known { known } else { try lookUp(part.stream) }
        guard part.expected.allows(Revision(revision)) else {
          throw .conflict(part.stream, actual: Revision(revision))
        }
        starts.append(Start(stream: stream, revision: revision))
        streams.setRevision(revision + UInt64(part.events.count), of: stream)
      }
    } catch {
      // In reverse, as a stream may have several parts.
      for start in starts.reversed() { streams.setRevision(start.revision, of: start.stream) }
      throw error
    }
  }

  private func lookUp(_ stream: StreamID) throws(AppendError) -> UInt64 {
    do throws(ReadError) {
      return try core.revisions.revision(of: stream).rawValue
    } catch {
      throw .readOnly(reason: error.description)
    }
  }

  private mutating func add(
    _ part: AppendBatch.StreamAppend, of append: AppendBatch, bytes: UnsafeRawBufferPointer,
    after start: Start
  ) {
    if part.events.isEmpty { return }
    let base = appender.segment.first
    let firstOrdinal = Int(position + 1 - base)
    var revision = start.revision
    var stream = part.stream.description
    stream.withUTF8 { stream in
      for event in append.events[part.events] {
        position += 1
        revision += 1
        let command = event.command?.rawValue ?? 0
        written.add(
          offset: appender.tail.end + batch.count, position: position,
          ordinal: Int(position - base), time: time, command: command)
        var type = event.type.description
        type.withUTF8 { type in
          batch.add(
            RecordFrame.Fields(
              position: position, revision: revision, time: time, command: command,
              schema: event.schema),
            stream: UnsafeRawBufferPointer(stream), type: UnsafeRawBufferPointer(type),
            data: bytes.part(event.data), meta: bytes.part(event.meta))
        }
      }
    }
    written.add(
      start.stream, firstRevision: start.revision + 1,
      ordinals: firstOrdinal..<firstOrdinal + part.events.count)
  }

  /// Hands what is put together to the disk.
  mutating func flush() throws(StorageError) {
    if batch.isEmpty { return }
    try appender.write(
      batch.finish(durable: appender.durable.position), position: position, time: time)
    batch.removeAll()
    written.end = appender.tail.end
  }

  /// Makes all that was added durable, then visible.
  mutating func commit(_ marker: HeadMarker) throws(StorageError) {
    try flush()
    guard appender.hasUnsynced else { return streams.trim() }
    try appender.sync()
    marker.write(appender.durable.position)
    streams.begin(segment: appender.segment.first)
    core.publish(written, in: appender.segment)
    written.removeAll()
    streams.trim()
  }

  /// Forgets all that is not durable.
  mutating func abandon() {
    batch.removeAll()
    written.removeAll()
    streams.removeAll()
    position = appender.durable.position
    time = appender.durable.time
  }
}

extension AppendBatch {
  /// What the batch's records take on the disk.
  var storedLength: Int {
    var length = byteCount + events.count * RecordFrame.size
    for event in events { length += event.type.description.utf8.count }
    for part in streams { length += part.stream.description.utf8.count * part.events.count }
    return length
  }
}
