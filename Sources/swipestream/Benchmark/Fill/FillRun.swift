internal import ActorRuntime
internal import Domain
internal import EventLog
internal import EventSourcing
internal import FastJSON

/// Writes a log of a given size, as a service that has run for long would have left it: one large
/// mailbox or list, and many that grow alongside.
struct FillRun {
  private static let eventsPerBatch = 4096
  private static let batchesInLine = 8
  /// One event in four goes to the large stream, where there are others.
  private static let largeShare = 4
  private static let eventsPerTurn = 16

  let directory: String
  let events: Int
  /// How many there are beside the large one.
  let streams: Int
  let category: StreamCategory
  /// Every so manieth event is a new mail or item, here and there.
  let newShare: Int

  func run() async throws(Failure) -> JSON {
    let store: SegmentedEventStore
    do throws(EventLogError) {
      store = try SegmentedEventStore.open(directory: directory)
    } catch {
      throw Failure(.refused, "\(error)")
    }
    guard store.head == .start else {
      await store.stop()
      throw Failure(.refused, "\(directory) has a log already; name a new directory")
    }
    let start = MonotonicTime.nanoseconds
    let failure = write(to: store)
    let seconds = Double(MonotonicTime.nanoseconds - start) / 1e9
    let statistics = store.statistics
    await store.stop()
    if let failure { throw Failure(.refused, "cannot write: \(failure)") }
    return [
      "what": "fill", "events": .integer(events), "streams": .integer(streams + 1),
      "segments": .integer(statistics.segments), "bytes": .integer(statistics.bytes),
      "seconds": .double(seconds),
    ]
  }

  private func write(to store: SegmentedEventStore) -> AppendError? {
    let line = Monitor<(count: Int, failure: AppendError?)>((0, nil))
    var growing = (0...streams).compactMap {
      GrowingStream(number: $0, of: category, newShare: newShare)
    }
    var written = 0
    while written < events {
      let count = min(Self.eventsPerBatch, events - written)
      let batch = batch(count, &growing, command: written)
      written += count
      line.change { $0.count += 1 }
      store.append(batch) { result in
        line.change { line in
          line.count -= 1
          if case .failure(let error) = result { line.failure = error }
        }
      }
      _ = line.wait { $0.count < Self.batchesInLine ? true : nil }
    }
    return line.wait { $0.count == 0 ? .some($0.failure) : nil } ?? nil
  }

  private func batch(_ count: Int, _ growing: inout [GrowingStream], command: Int) -> AppendBatch {
    var batch = AppendBatch(time: Timestamp(microseconds: SystemClock().microsecondsSinceEpoch))
    let large = streams > 0 ? count / Self.largeShare : count
    growing[0].add(large, to: &batch, command: command)
    // The others take turns.
    var done = large
    var turn = command / Self.eventsPerTurn
    while done < count {
      let part = min(Self.eventsPerTurn, count - done)
      growing[1 + turn % streams].add(part, to: &batch, command: command + done)
      done += part
      turn += 1
    }
    return batch
  }
}
