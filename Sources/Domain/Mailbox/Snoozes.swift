internal import EventSourcing

/// Until when the snoozed mails of a mailbox sleep.
struct Snoozes: Sendable {
  /// By mail.
  private(set) var until: [UInt32: Timestamp] = [:]
  /// The snoozed mails of each thread, so that a reply finds them.
  private var byThread: [UInt32: Set<UInt32>] = [:]

  init() {}

  mutating func set(_ mail: UInt32, until time: Timestamp, thread: UInt32) {
    until[mail] = time
    byThread[thread, default: []].insert(mail)
  }

  mutating func remove(_ mail: UInt32, thread: UInt32) {
    guard until.removeValue(forKey: mail) != nil else { return }
    byThread[thread]?.remove(mail)
    if byThread[thread]?.isEmpty == true { byThread[thread] = nil }
  }

  /// In order.
  func mails(of thread: UInt32) -> [UInt32] { byThread[thread]?.sorted() ?? [] }

  /// About how many bytes of memory it takes.
  var memoryFootprint: Int { until.capacity * 12 * 4 / 3 + byThread.count * 160 }
}

extension Snoozes: Equatable {
  /// The other table follows from this one and the threads.
  static func == (a: Snoozes, b: Snoozes) -> Bool { a.until == b.until }
}

extension Snoozes {
  /// Writes the time of each snoozed mail, in order; which they are, the mails' states tell.
  func writeSnapshot(to writer: inout SnapshotWriter) {
    for mail in until.keys.sorted() { writer.signed(until[mail]?.microseconds ?? 0) }
  }

  init(
    of mails: some Sequence<UInt32>, thread: (UInt32) -> UInt32,
    snapshot reader: inout SnapshotReader
  ) throws(SnapshotDecodingError) {
    self.init()
    for mail in mails {
      set(mail, until: try Self.readTime(&reader), thread: thread(mail))
    }
  }

  static func readTime(
    _ reader: inout SnapshotReader
  ) throws(SnapshotDecodingError) -> Timestamp {
    let time = Timestamp(microseconds: try reader.signed())
    guard Timestamp.writable.contains(time) else {
      throw SnapshotDecodingError("a mail is snoozed until a time that none is")
    }
    return time
  }
}
