internal import ActorRuntime
internal import Domain
internal import EventLog
internal import EventSourcing
internal import FastJSON

/// Writes a log of a given size, as a service that has run for long would have left it: one large
/// mailbox, and many that grow alongside.
struct FillRun {
  private static let eventsPerBatch = 4096
  private static let batchesInLine = 8
  /// One event in four goes to the large mailbox, and there and elsewhere one in four is a new mail.
  private static let share = 4

  let directory: String
  let events: Int
  let streams: Int

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
    var mailboxes = (0...streams).compactMap { Growing($0) }
    var written = 0
    while written < events {
      let count = min(Self.eventsPerBatch, events - written)
      let batch = batch(count, &mailboxes, command: written)
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

  private func batch(_ count: Int, _ mailboxes: inout [Growing], command: Int) -> AppendBatch {
    var batch = AppendBatch(time: Timestamp(microseconds: SystemClock().microsecondsSinceEpoch))
    let large = count / Self.share
    mailboxes[0].add(large, to: &batch, command: command)
    // The others take turns of 16 events.
    var done = large
    var turn = command / 16
    while done < count {
      let part = min(16, count - done)
      mailboxes[1 + turn % streams].add(part, to: &batch, command: command + done)
      done += part
      turn += 1
    }
    return batch
  }

  /// A mailbox of which no more is known than its next event needs.
  private struct Growing {
    private let stream: StreamID
    private var mails = 0
    private var revision = 0

    init?(_ number: Int) {
      guard let stream = try? StreamID(number == 0 ? "mailbox/large" : "mailbox/m\(number)") else {
        return nil
      }
      self.stream = stream
    }

    mutating func add(_ count: Int, to batch: inout AppendBatch, command: Int) {
      batch.begin(
        stream, expecting: revision == 0 ? .noStream : .exactly(Revision(UInt64(revision))))
      for index in 0..<count {
        let event = next()
        revision += 1
        write(event, to: &batch, command: CommandID("fill-\(command + index)"))
      }
    }

    private mutating func next() -> MailboxEvent {
      guard revision % FillRun.share != 0 else {
        mails += 1
        return .delivered(MailID(mails), content)
      }
      let mail = MailID(1 + revision * 7919 % mails)
      return revision % 8 < 4 ? .flagged(mail) : .unflagged(mail)
    }

    private var content: MailContent {
      MailContent(
        from: "sender-\(mails % 97)@example.org", subject: "Mail \(mails)",
        message: "What there is to say in mail number \(mails)", date: nil, to: nil, cc: nil,
        messageID: "<\(mails)@\(stream.name)>", inReplyTo: nil, references: nil, digest: nil,
        size: nil, read: nil, flagged: nil, answered: nil, trashed: nil)
    }

    private func write(_ event: MailboxEvent, to batch: inout AppendBatch, command: CommandID?) {
      guard let command else { return }
      batch.add(event.type, schema: event.schema, command: CommandKey(command, in: stream)) {
        event.writeData(to: &$0)
      } meta: {
        EventMeta.write(
          command: command, via: nil, metadata: CommandMetadata(),
          completion: .init(
            content: ContentHash(rawValue: UInt64(revision)), eventCount: 1,
            outcome: Array("{}".utf8)),
          to: &$0)
      }
    }
  }
}
