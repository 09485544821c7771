internal import ActorRuntime
internal import EventSourcing
internal import FastJSON

/// The event that tells of a repair in the log itself.
struct RepairRecord {
  private static let type: EventType = "log.repaired"
  /// No more damages are listed; the report beside what was kept has them all.
  private static let listed = 100

  /// The repair's lock on the log stays held until the repair is done, not until the log is closed.
  private final class RepairLock: StorageLock {
    func release() {}
  }

  private let directory: LogDirectory
  private let data: [UInt8]
  private let clock: any WallClock

  /// - Parameter directory: must be locked by who calls.
  init(directory: LogDirectory, data: [UInt8], clock: any WallClock) {
    var directory = directory
    directory.isInRepair = true
    self.directory = directory
    self.data = data
    self.clock = clock
  }

  /// Adds it to the end of the log, unless an attempt that was interrupted has done so.
  ///
  /// - Returns: where the log ends then.
  func append() throws(RepairError) -> UInt64 {
    var configuration = EventLogConfiguration()
    // Nothing is looked up: no index has to be made again for that.
    configuration.commandHorizon = 1
    // It goes behind the last event, and reserves next to nothing: the service does that.
    configuration.segmentBytes = newestSize + (64 << 10)
    configuration.allowsTinySegments = true
    let store: SegmentedEventStore
    let stream: StreamID
    do throws(EventLogError) {
      store = try SegmentedEventStore.open(
        directory, lock: RepairLock(), configuration: configuration, clock: clock)
    } catch {
      throw .log(error)
    }
    defer { store.close() }
    do throws(StreamIDError) {
      stream = try StreamID("system/repairs")
    } catch {
      throw .impossible(reason: "\(error)")
    }
    if try isThere(in: store, stream) { return store.head.rawValue }
    var batch = AppendBatch(time: Timestamp(microseconds: clock.microsecondsSinceEpoch))
    batch.begin(stream, expecting: .any)
    batch.add(
      Self.type, data: { $0.raw(data) },
      meta: { writer in
        writer.beginObject()
        writer.endObject()
      })
    let answer = Lock<Result<AppendReceipt, AppendError>?>(nil)
    store.append(batch) { result in answer.withLock { $0 = result } }
    // Not a wait for the answer: where a failed write cannot be taken back there is none.
    store.close()
    guard case .success = answer.withLock({ $0 }) else {
      throw .impossible(
        reason: "the log is repaired, but the event that tells of it could not be written; "
          + "`swipestream log repair` tries again")
    }
    return store.head.rawValue
  }

  /// Nothing is served before the repair is done, so the record could only be the last event.
  private func isThere(
    in store: SegmentedEventStore, _ stream: StreamID
  ) throws(RepairError) -> Bool {
    guard store.head.rawValue > 0 else { return false }
    do throws(ReadError) {
      let last = try store.read(
        after: GlobalPosition(store.head.rawValue - 1), limit: ReadLimit(events: 1)
      ).last
      return last.map { $0.stream == stream && $0.type == Self.type && $0.data.elementsEqual(data) }
        ?? false
    } catch {
      throw .log(.unreadable(error))
    }
  }

  private var newestSize: Int {
    let newest = (try? directory.segmentNames())?.last
    return newest.flatMap { try? directory.sizeAndHeader(of: $0).size } ?? 0
  }

  /// What it says; `kept` has the repair's time, so no two say the same.
  static func data(of outcome: RepairOutcome, damages: [LogDamage]) -> [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    writer.key("choice")
    writer.value(outcome.choice.rawValue)
    writer.key("lost")
    writer.value(outcome.lost)
    writer.key("removed")
    writer.value(outcome.removed)
    writer.key("kept")
    writer.value(outcome.kept)
    writer.key("damages")
    writer.beginArray()
    for damage in damages.prefix(listed) { damage.write(to: &writer) }
    writer.endArray()
    writer.endObject()
    return writer.bytes
  }
}
