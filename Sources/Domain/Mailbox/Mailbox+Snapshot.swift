public import EventSourcing

/// A mailbox as bytes: whether it exists (1 byte), the number of mails, a state byte for each, the
/// order of those that are not purged, the swipe settings as JSON behind their length, what each mail
/// is known by, threads, labels, until when snoozed mails sleep, for how many seconds mails stay in the
/// trash (0 for ever), what is known of moves, what can be taken back, and the swipe settings that single
/// mails have. No text of a mail is in it, and of message ids, digests and subjects only hashes: those of
/// erased mails with the mailbox's salt, all others with a fixed prefix, so that one who has a message id
/// can find it.
extension Mailbox {
  public static let snapshotVersion: UInt32 = 5

  public var memoryFootprint: Int {
    states.capacity + order.memoryFootprint + known.memoryFootprint + threads.memoryFootprint
      + labels.memoryFootprint + snoozes.memoryFootprint + SwipeSettings.memoryFootprint
      + moves.memoryFootprint + journal.memoryFootprint + overrides.memoryFootprint
  }

  public func writeSnapshot(to writer: inout SnapshotWriter) {
    let mails = states.dropFirst()
    writer.bool(exists)
    writer.number(mails.count)
    writer.raw(mails.lazy.map(\.rawValue))
    let purged = mails.reduce(0) { $0 + ($1.contains(.purged) ? 1 : 0) }
    order.writeLane(0, count: mails.count - purged, to: &writer)
    swipe.writeSnapshot(to: &writer)
    known.writeSnapshot(to: &writer)
    threads.writeSnapshot(to: &writer)
    labels.writeSnapshot(to: &writer)
    snoozes.writeSnapshot(to: &writer)
    writer.number(retention?.seconds ?? 0)
    moves.writeSnapshot(to: &writer)
    journal.write(to: &writer)
    overrides.writeSnapshot(to: &writer)
  }

  public init(snapshot reader: inout SnapshotReader) throws(SnapshotDecodingError) {
    let exists = try reader.bool()
    let count = try reader.count(ofSize: 1)
    guard count < UInt32.max else { throw SnapshotDecodingError("it says too many mails") }
    let states = [State.purged] + (try reader.raw(count)).map { State(rawValue: $0) }
    var homes = [UInt32](repeating: 0, count: count + 1)
    let lane = try OrderChain.readLane(1, homes: &homes, from: &reader)
    for (state, home) in zip(states, homes) {
      let isGone = state == .purged || state == .lost || state == [.purged, .erased]
      guard isGone ? home == 0 : state.isDisjoint(with: [.purged, .erased]) && home == 1 else {
        throw SnapshotDecodingError("a mail's state is none, or not that of its place")
      }
    }
    let swipe = try SwipeSettings(snapshot: &reader)
    let delivered = count - Mailbox.lostCount(in: states)
    let known = try KnownMails(mails: delivered, snapshot: &reader)
    let threads = try MailThreads(mails: delivered, snapshot: &reader)
    let labels = try MailLabels(snapshot: &reader) {
      Int($0) <= delivered && !states[Int($0)].contains(.purged)
    }
    let sleeping = (1..<UInt32(count + 1)).lazy.filter {
      states[Int($0)].contains(.snoozed) && !states[Int($0)].contains(.purged)
    }
    let snoozes = try Snoozes(of: sleeping, thread: threads.thread, snapshot: &reader)
    let retention = try TrashRetention.read(&reader)
    let moves = try MailMoves(
      mails: delivered, isThere: { homes[Int($0)] == 1 }, snapshot: &reader)
    self.init(
      exists: exists, states: states, order: OrderChain(count: delivered, lanes: [lane]),
      known: known, threads: threads, labels: labels, snoozes: snoozes, swipe: swipe,
      retention: retention, moves: moves,
      journal: try UndoJournal(snapshot: &reader),
      overrides: try SwipeOverrides(snapshot: &reader) { mail in
        mail < homes.count && homes[mail] == 1
      })
    guard exists || self == Mailbox() && moves.revision == 0 else {
      throw SnapshotDecodingError("a mailbox that does not exist is not empty")
    }
  }
}
