internal import ActorRuntime
internal import EventSourcing
internal import FastJSON

/// The event that tells of a repair in the log itself.
struct RepairRecord {
  private static let type: EventType = "log.repaired"
  /// No more damages are listed; the report beside what was kept has them all.
  private static let listed = 100

  let directory: LogDirectory
  let outcome: RepairOutcome
  let clock: any WallClock
  let lock: any StorageLock

  /// Adds it to the end of the log.
  ///
  /// - Returns: the outcome with the head as it is then.
  func append(damages: [LogDamage]) throws(RepairError) -> RepairOutcome {
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
        directory, lock: lock, configuration: configuration, clock: clock)
    } catch {
      throw .log(error)
    }
    defer { store.close() }
    do throws(StreamIDError) {
      stream = try StreamID("system/repairs")
    } catch {
      throw .impossible(reason: "\(error)")
    }
    var batch = AppendBatch(time: Timestamp(microseconds: clock.microsecondsSinceEpoch))
    batch.begin(stream, expecting: .any)
    batch.add(
      Self.type, data: { write(damages, to: &$0) },
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
        reason: "the log is repaired, but the event that tells of it could not be written")
    }
    return RepairOutcome(
      choice: outcome.choice, head: store.head.rawValue, lost: outcome.lost,
      removed: outcome.removed, kept: outcome.kept)
  }

  private var newestSize: Int {
    let newest = (try? directory.segmentNames())?.last
    return newest.flatMap { try? directory.sizeAndHeader(of: $0).size } ?? 0
  }

  private func write(_ damages: [LogDamage], to writer: inout JSONWriter) {
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
    for damage in damages.prefix(Self.listed) { damage.write(to: &writer) }
    writer.endArray()
    writer.endObject()
  }
}
