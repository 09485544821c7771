internal import Digests

/// Which conversation each mail belongs to, and by what later mails are found to belong to one.
///
/// A mail joins the oldest thread with which it shares a message id (its own, or one that it or the
/// other refers to) and the base subject (RFC 8621 section 3). That is decided when it is delivered,
/// stands in its event and is never changed. A mail whose event names no thread is its own; what it
/// is linked by counts all the same.
///
/// Only hashes are kept: of each mail with a message id its subject, as the message ids themselves are
/// in ``KnownMails``; of the message ids that a mail refers to each one together with the subject. An
/// erased mail has none.
struct MailThreads: Sendable {
  /// By mail, the number of its thread's first mail; the first is nobody's.
  private(set) var threads: [UInt32] = [0]
  /// By mail, a hash of its subject; 0 for a mail without message id.
  private(set) var subjects: [UInt32] = [0]
  private(set) var references = ReferenceLinks()
  /// Of which new mails arrive in the archive.
  private(set) var muted: Set<UInt32> = []

  init() {}

  /// With room for the mails that are known to come.
  init(mails count: Int) {
    threads.reserveCapacity(count + 1)
    subjects.reserveCapacity(count + 1)
  }

  /// Whether a mail with this number was delivered, or lost.
  func hasNumber(_ mail: MailID) -> Bool {
    mail.rawValue > 0 && threads.indices.contains(mail.rawValue)
  }

  func thread(of mail: UInt32) -> UInt32 { threads[Int(mail)] }

  /// The thread that a mail with this content joins; nil where it begins its own.
  func thread(for content: MailContent, among known: KnownMails) -> UInt32? {
    guard let link = MailLink(content) else { return nil }
    var oldest: UInt32?
    for id in link.messageIDs {
      known.forEachMail(withMessageID: id) { mail in
        guard subjects[Int(mail)] == link.shortSubject else { return }
        oldest = min(oldest ?? .max, threads[Int(mail)])
      }
      if let thread = references.thread(of: link.key(of: id)) {
        oldest = min(oldest ?? .max, thread)
      }
    }
    return oldest
  }

  /// Takes in a mail behind all others; those between are their own threads.
  mutating func add(_ mail: UInt32, _ content: MailContent) {
    while threads.count < mail { append(thread: UInt32(threads.count), subject: 0) }
    let named = content.thread?.slot ?? mail
    let thread = (1...mail).contains(named) ? named : mail
    guard let link = MailLink(content) else {
      append(thread: thread, subject: 0)
      return
    }
    // Its own id is found by its subject.
    append(thread: thread, subject: content.messageID == nil ? 0 : link.shortSubject)
    references.add(link.references.map { link.key(of: $0) }, of: mail, in: thread)
  }

  mutating func append(thread: UInt32, subject: UInt32) {
    threads.append(thread)
    subjects.append(subject)
  }

  /// Takes in one of the hashes of a mail that is in already, and behind all that have some.
  mutating func add(reference key: UInt64, of mail: UInt32) {
    references.add([key], of: mail, in: threads[Int(mail)])
  }

  /// Forgets what other mails find this one by. Its thread stays.
  mutating func erase(_ mail: UInt32) {
    subjects[Int(mail)] = 0
    references.remove(mail, in: threads[Int(mail)])
  }

  mutating func setMuted(_ thread: UInt32, _ isMuted: Bool) {
    if isMuted { muted.insert(thread) } else { muted.remove(thread) }
  }

  /// About how many bytes of memory it takes.
  var memoryFootprint: Int {
    (threads.capacity + subjects.capacity) * 4 + references.memoryFootprint
      + muted.capacity * 4 * 4 / 3
  }
}

extension MailThreads: Equatable {
  static func == (a: MailThreads, b: MailThreads) -> Bool {
    a.threads == b.threads && a.subjects == b.subjects && a.references == b.references
      && a.muted == b.muted
  }
}

/// What links a mail to others, hashed.
struct MailLink {
  private let own: String?
  /// The message ids that it refers to, each once, and not its own.
  let references: [Fingerprint]
  private let subject: UInt64

  /// Nil where it has no message id and refers to none.
  init?(_ content: MailContent) {
    own = content.messageID
    var ids = Self.nearest(content.references ?? [])
    if let parent = content.inReplyTo { ids.append(parent) }
    guard own != nil || !ids.isEmpty else { return nil }
    if ids.isEmpty {
      references = []
    } else {
      // By hash, as two strings are equal that are not spelt the same.
      var seen: Set<Fingerprint> = []
      if let own { seen.insert(MailTrace.hash(messageID: own)) }
      references = ids.map { MailTrace.hash(messageID: $0) }.filter { seen.insert($0).inserted }
    }
    let base = BaseSubject(content.subject)
    subject =
      Fingerprint { hasher in
        hasher.update("swipestream subject\n")
        base.utf8.withUnsafeBytes { hasher.update($0) }
      }.high
  }

  /// Of a long conversation's message ids (RFC 5322 section 3.6.4: the oldest first) the first and the
  /// last ones: each is kept, a mailbox has a million mails, and they are enough to find the others.
  private static func nearest(_ references: [String]) -> [String] {
    guard references.count > referenceLimit else { return references }
    return [references[0]] + references.suffix(referenceLimit - 1)
  }

  private static let referenceLimit = 20

  /// Its own message id and those that it refers to.
  var messageIDs: [Fingerprint] {
    references + (own.map { [MailTrace.hash(messageID: $0)] } ?? [])
  }

  /// Enough to tell the few subjects apart that come with one message id; never 0.
  var shortSubject: UInt32 { max(UInt32(truncatingIfNeeded: subject), 1) }

  /// What a message id that is referred to is found by: together with the subject, and never 0.
  func key(of messageID: Fingerprint) -> UInt64 { max(messageID.high ^ subject, 1) }
}
