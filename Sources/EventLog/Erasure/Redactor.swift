internal import ActorRuntime
internal import EventSourcing

/// Replaces the text of records in their files, beside the writer and the readers.
///
/// It needs no turn on the writer's thread: it writes only to bytes that are durable already, which
/// the writer never touches again, and it changes no length. A sync of either makes the other's
/// bytes durable too, which harms nothing: the redo file is durable before the first byte changes.
final class Redactor: Sendable {
  private struct State {
    /// Durable in the redo file, and perhaps not in their places.
    var unfinished: [ReplacedRecord] = []
    var isClosed = false
  }

  private let core: LogCore
  private let directory: LogDirectory
  private let files: SegmentFiles
  /// Held for all of the work: one redaction at a time, and none once it is closed.
  private let state = Lock(State())

  init(core: LogCore, directory: LogDirectory, files: SegmentFiles) {
    self.core = core
    self.directory = directory
    self.files = files
  }

  func redact(_ redactions: [Redaction]) throws(RedactionError) {
    try state.withLock { state throws(RedactionError) in
      if state.isClosed { throw .closed }
      try finish(&state)
      let records = try self.records(redactions)
      if records.isEmpty { return }
      try writing { () throws(StorageError) in try writeRedo(records) }
      state.unfinished = records
      files.transit.begin(records)
      try finish(&state)
    }
  }

  /// Waits for what is under way, and ends it all.
  func close() { state.withLock { $0.isClosed = true } }

  /// Where it fails, the redo file stays, and the next call or the next start goes on with it.
  private func finish(_ state: inout State) throws(RedactionError) {
    if state.unfinished.isEmpty { return }
    let records = state.unfinished
    try writing { () throws(StorageError) in
      try directory.writeInPlace(records)
      try directory.removeRedo()
    }
    state.unfinished = []
    files.transit.end()
  }

  private func writeRedo(_ records: [ReplacedRecord]) throws(StorageError) {
    do throws(StorageError) {
      try directory.writeRedo(RedoFile(log: core.log, records: records))
    } catch {
      // Nothing was replaced: a torn redo file means nothing, and a whole one does no harm.
      try? directory.removeRedo()
      throw error
    }
  }

  private func writing(_ body: () throws(StorageError) -> Void) throws(RedactionError) {
    do throws(StorageError) {
      try body()
    } catch {
      throw .unwritten(reason: error.description)
    }
  }

  // MARK: The new records

  /// In the order of the log; those that have their new text already are left out.
  private func records(
    _ redactions: [Redaction]
  ) throws(RedactionError) -> [ReplacedRecord] {
    let head = GlobalPosition(core.head)
    let segments = core.catalog.all
    var records: [ReplacedRecord] = []
    for redaction in redactions.sorted(by: { $0.position < $1.position }) {
      guard redaction.position > .start, redaction.position <= head else {
        throw .unfit(redaction.position)
      }
      let position = redaction.position.rawValue
      let segment = segments[Catalog.index(of: position, in: segments)]
      let (offset, old, frame) = try stored(position, in: segment)
      if let new = try ReplacedRecord(
        segment: segment.first, offset: offset, old: old, frame: frame, redaction: redaction)
      {
        records.append(new)
      }
    }
    return records
  }

  private func stored(
    _ position: UInt64, in segment: Segment
  ) throws(RedactionError) -> (offset: Int, record: [UInt8], frame: RecordFrame) {
    do throws(ReadError) {
      let place = try core.reader.locator.place(Int(position - segment.first), of: segment)
      let bytes = try files.bytes(of: segment, place.length, at: place.offset)
      do throws(FrameFault) {
        let frame = try bytes.withRawBytes { (bytes) throws(FrameFault) in try RecordFrame(bytes) }
        guard frame.position == position else { throw FrameFault("a record is out of order") }
        return (place.offset, Array(bytes[..<frame.length]), frame)
      } catch {
        throw ReadError.damaged(
          place: EventLogError.place(file: segment.name, offset: place.offset),
          positions: position...position, reason: error.reason)
      }
    } catch {
      throw .unreadable(error)
    }
  }
}
