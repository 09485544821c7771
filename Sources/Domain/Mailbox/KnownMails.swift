internal import Digests

/// Which mails a mailbox has had, purged and erased ones included, so that delivering one again is
/// noticed.
///
/// "The same `messageID`, and the same `digest` where both have one; without either, always new"
/// means here:
/// - a mail with a message id is known where one with that message id was delivered, unless both
///   have a digest and the digests differ (then another message uses the same id);
/// - a mail without message id but with a digest is known where one without message id and with
///   that digest was delivered;
/// - a mail with neither is always new.
///
/// Where several are the same mail, the oldest counts. What is kept does not depend on when a mail
/// was taken in: of an erased mail the log tells nothing until its erasure comes.
///
/// Only hashes are kept. Those of an erased mail are hashed once more with the mailbox's salt, and
/// stand in the log: the same mail erased in two mailboxes looks like two.
struct KnownMails: Sendable, Equatable {
  /// By mail, the first nobody's.
  private(set) var traces: [MailTrace] = [MailTrace()]
  /// The oldest mail that is found by a key.
  private(set) var oldest: [Fingerprint: UInt32] = [:]
  /// Further mails with the key of one in `oldest`, told apart by digest, in order; rare.
  private(set) var namesakes: [Fingerprint: [UInt32]] = [:]
  /// Nil before the first mail is erased.
  private(set) var salt: Fingerprint?

  init() {}

  /// With room for the mails that are known to come.
  init(salt: Fingerprint?, mails count: Int) {
    self.salt = salt
    traces.reserveCapacity(count + 1)
    oldest.reserveCapacity(count)
  }

  /// The mail that `content` is, where it was delivered before.
  func mail(like content: MailContent) -> MailID? {
    let trace = MailTrace(content)
    let found = mail(like: trace)
    guard let salt else { return found }
    guard let erased = mail(like: trace.salted(with: salt)) else { return found }
    return found.map { min($0, erased) } ?? erased
  }

  private func mail(like trace: MailTrace) -> MailID? {
    guard let key = trace.key, let first = oldest[key] else { return nil }
    if traces[Int(first)].agrees(with: trace) { return MailID(slot: first) }
    return namesakes[key]?.first { traces[Int($0)].agrees(with: trace) }.map { MailID(slot: $0) }
  }

  /// Calls `body` with every mail that has this message id and was not erased.
  func forEachMail(withMessageID messageID: Fingerprint, _ body: (UInt32) -> Void) {
    guard let first = oldest[messageID] else { return }
    body(first)
    namesakes[messageID]?.forEach(body)
  }

  /// Takes in a mail behind all others; those between are not known.
  mutating func add(_ mail: MailID, _ content: MailContent) {
    precondition(mail.rawValue >= traces.count)
    while traces.count < mail.rawValue { add(MailTrace()) }
    add(MailTrace(content))
  }

  mutating func add(_ trace: MailTrace) {
    insert(UInt32(traces.count), trace)
    traces.append(trace)
  }

  /// What stays of a mail that is to be erased; nil where nothing tells it from others.
  ///
  /// - Parameter newSalt: for a mailbox that has erased nothing yet.
  func erasing(_ mail: MailID, newSalt: Fingerprint) -> KnownMail? {
    let trace = traces[mail.rawValue]
    if trace.key == nil { return nil }
    let salt = self.salt ?? newSalt
    let salted = trace.salted(with: salt)
    return KnownMail(salt: salt, messageID: salted.messageID, digest: salted.digest)
  }

  /// Keeps of a mail what its erasure says, in place of what it had, if the log still told that.
  mutating func erase(_ mail: MailID, _ known: KnownMail?) {
    remove(mail.slot, traces[mail.rawValue])
    let trace = MailTrace(messageID: known?.messageID, digest: known?.digest)
    traces[mail.rawValue] = trace
    insert(mail.slot, trace)
    if salt == nil { salt = known?.salt }
  }

  private mutating func insert(_ mail: UInt32, _ trace: MailTrace) {
    guard let key = trace.key else { return }
    guard let first = oldest[key] else {
      oldest[key] = mail
      return
    }
    oldest[key] = min(first, mail)
    namesakes[key, default: []].insertInOrder(max(first, mail))
  }

  private mutating func remove(_ mail: UInt32, _ trace: MailTrace) {
    guard let key = trace.key else { return }
    var others = namesakes[key, default: []]
    if oldest[key] == mail {
      oldest[key] = others.isEmpty ? nil : others.removeFirst()
    } else {
      others.removeAll { $0 == mail }
    }
    namesakes[key] = others.isEmpty ? nil : others
  }
}

extension [UInt32] {
  /// Most go to the end.
  fileprivate mutating func insertInOrder(_ number: UInt32) {
    if let last, last > number {
      insert(number, at: firstIndex { $0 > number } ?? endIndex)
    } else {
      append(number)
    }
  }
}
