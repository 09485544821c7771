internal import Digests
internal import EventSourcing

/// What a mailbox knows of mails that leave for another one, and of those that came from one.
struct MailMoves: Sendable {
  /// The mails that are being moved, each with where it goes.
  private(set) var leaving: [UInt32: StreamID] = [:]
  /// What a mail that came from another mailbox became here, found by a hash of where it came from. It
  /// stays when that mail is gone: the same mail must not arrive twice, however late.
  private(set) var arrivals: [Fingerprint: UInt32] = [:]
  /// By mail, the revision that delivered it, so that its text is found in the log; 0 where no
  /// delivery is known, the last one that fits for all beyond.
  private(set) var deliveries: [UInt32] = [0]
  /// How many events the mailbox has.
  private(set) var revision: UInt64 = 0

  init() {}

  static func hash(_ origin: MailOrigin) -> Fingerprint {
    Fingerprint(of: "swipestream mail origin\n\(origin.stream)\n\(origin.mail)")
  }

  /// The mail that one from elsewhere became here; nil where it has not arrived.
  func mail(from origin: MailOrigin) -> MailID? {
    arrivals[Self.hash(origin)].map { MailID(slot: $0) }
  }

  /// The revision from which on to look for what delivered a mail.
  func delivery(of mail: MailID) -> Revision {
    Revision(deliveries.indices.contains(mail.rawValue) ? UInt64(deliveries[mail.rawValue]) : 0)
  }

  mutating func countEvent() { revision += 1 }

  /// Takes in a mail that the last event delivered, behind all others.
  mutating func deliver(_ mail: MailID, from origin: MailOrigin?) {
    while deliveries.count < mail.rawValue { deliveries.append(0) }
    deliveries.append(UInt32(clamping: revision))
    if let origin { arrivals[Self.hash(origin)] = mail.slot }
  }

  mutating func begin(_ mail: MailID, to target: StreamID) { leaving[mail.slot] = target }

  mutating func end(_ mail: MailID) { leaving[mail.slot] = nil }

  /// About how many bytes of memory it takes. A dictionary has room for a third more than it says.
  var memoryFootprint: Int {
    deliveries.capacity * 4 + arrivals.capacity * 20 * 4 / 3 + leaving.capacity * 40 * 4 / 3
  }
}

extension MailMoves: Equatable {
  /// The number of events is left out: an undo leads back to the state before, by further events.
  static func == (a: MailMoves, b: MailMoves) -> Bool {
    a.leaving == b.leaving && a.arrivals == b.arrivals && a.deliveries == b.deliveries
  }
}

extension MailMoves {
  /// Writes the number of events; by mail how much later it was delivered than the one before; the
  /// mails that leave, and where to; the mails that arrived, each with its hash.
  func writeSnapshot(to writer: inout SnapshotWriter) {
    writer.number(revision)
    writer.number(deliveries.count - 1)
    var last: UInt32 = 0
    for delivery in deliveries.dropFirst() {
      writer.number(delivery == 0 ? 0 : delivery - last + 1)
      if delivery > 0 { last = delivery }
    }
    writer.number(leaving.count)
    for (mail, target) in leaving.sorted(by: { $0.key < $1.key }) {
      writer.number(mail)
      writer.counted(Array(target.description.utf8))
    }
    writer.number(arrivals.count)
    for (hash, mail) in arrivals.sorted(by: { $0.value < $1.value }) {
      writer.number(mail)
      writer.fingerprint(hash)
    }
  }

  /// - Parameters:
  ///   - count: how many mails were delivered, those lost between them included.
  ///   - isThere: whether a mail is, of these.
  init(
    mails count: Int, isThere: (UInt32) -> Bool, snapshot reader: inout SnapshotReader
  ) throws(SnapshotDecodingError) {
    revision = UInt64(try reader.number())
    guard try reader.count(ofSize: 1) == count else {
      throw SnapshotDecodingError("it says of other mails when they were delivered")
    }
    deliveries.reserveCapacity(count + 1)
    var last: UInt32 = 0
    for _ in 0..<count {
      let step = try reader.number(upTo: Int(UInt32.max))
      guard step > 0 else {
        deliveries.append(0)
        continue
      }
      let (sum, isOverflow) = last.addingReportingOverflow(UInt32(step - 1))
      guard !isOverflow, sum > 0, sum <= revision else {
        throw SnapshotDecodingError("a mail was delivered by no event")
      }
      last = sum
      deliveries.append(last)
    }
    var before: UInt32 = 0
    for _ in 0..<(try reader.count(ofSize: 3)) {
      let mail = try mail(behind: before, &reader)
      guard isThere(mail),
        let target = try? StreamID(String(decoding: try reader.counted(), as: UTF8.self))
      else { throw SnapshotDecodingError("a mail that is not there is moved, or moved nowhere") }
      leaving[mail] = target
      before = mail
    }
    before = 0
    for _ in 0..<(try reader.count(ofSize: 17)) {
      let mail = try mail(behind: before, &reader)
      guard arrivals.updateValue(mail, forKey: try reader.fingerprint()) == nil else {
        throw SnapshotDecodingError("a mail arrived twice")
      }
      before = mail
    }
  }

  /// Mails come in order, so that there is one form only.
  private func mail(
    behind before: UInt32, _ reader: inout SnapshotReader
  ) throws(SnapshotDecodingError) -> UInt32 {
    let mail = try reader.number(upTo: deliveries.count - 1)
    guard mail > before else {
      throw SnapshotDecodingError("moves are of no mail, or of one twice")
    }
    return UInt32(mail)
  }
}
