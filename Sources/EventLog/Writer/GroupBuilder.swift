internal import EventSourcing

/// Puts a group of appends together: checks revisions, gives positions, writes disk batches.
struct GroupBuilder: ~Copyable {
  private let core: LogCore
  private let appender: SegmentAppender
  private var batch = DiskBatch()
  private var written = WrittenGroup()
  /// With what is still in `batch`.
  private var position: UInt64
  private var time: Int64

  init(core: LogCore, appender: SegmentAppender) {
    self.core = core
    self.appender = appender
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
    var starts: [UInt64] = []
    starts.reserveCapacity(append.streams.count)
    do throws(AppendError) {
      try check(append, into: &starts)
    } catch {
      return .failure(error)
    }
    if !batch.isEmpty, batch.count + length > EventLogConfiguration.diskBatchBytes { try flush() }
    let first = position + 1
    if !append.isEmpty { time = max(time, append.time.microseconds) }
    append.withBytes { bytes in
      for (index, part) in append.streams.enumerated() {
        add(part, of: append, bytes: bytes, after: starts[index])
      }
    }
    return .success(AppendReceipt(first: GlobalPosition(first)))
  }

  /// Finds each part's present revision, parts before it included.
  private func check(_ append: AppendBatch, into starts: inout [UInt64]) throws(AppendError) {
    // Appends of one part are the most, and need no memory of the parts before.
    var reached: [StreamID: UInt64] = [:]
    for part in append.streams {
      let revision: UInt64
      if let known = reached[part.stream] {
        revision = known
      } else {
        revision = try self.revision(of: part.stream)
      }
      guard part.expected.allows(Revision(revision)) else {
        throw .conflict(part.stream, actual: Revision(revision))
      }
      starts.append(revision)
      if append.streams.count > 1 { reached[part.stream] = revision + UInt64(part.events.count) }
    }
  }

  private func revision(of stream: StreamID) throws(AppendError) -> UInt64 {
    if let revision = written.revision(of: stream) { return revision }
    do throws(ReadError) {
      return try core.revisions.revision(of: stream).rawValue
    } catch {
      throw .readOnly(reason: error.description)
    }
  }

  private mutating func add(
    _ part: AppendBatch.StreamAppend, of append: AppendBatch, bytes: UnsafeRawBufferPointer,
    after start: UInt64
  ) {
    if part.events.isEmpty { return }
    let base = appender.segment.first
    let firstOrdinal = Int(position + 1 - base)
    var revision = start
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
      part.stream, firstRevision: start + 1,
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
    guard appender.hasUnsynced else { return }
    try appender.sync()
    marker.write(appender.durable.position)
    core.publish(written, in: appender.segment)
    written.removeAll()
  }

  /// Forgets all that is not durable.
  mutating func abandon() {
    batch.removeAll()
    written.removeAll()
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
