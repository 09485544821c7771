internal import Digests

/// Which mails a mailbox has had, purged ones included, so that delivering one again is noticed.
///
/// "The same `messageID`, and the same `digest` where both have one; without either, always new"
/// means here:
/// - a mail with a message id is known where one with that message id was delivered, unless both
///   have a digest and the digests differ (then another message uses the same id);
/// - a mail without message id but with a digest is known where one without message id and with
///   that digest was delivered;
/// - a mail with neither is always new.
///
/// Only hashes are kept, salted with a fixed text: what is left of a purged mail names no one.
struct KnownMails: Sendable, Equatable {
  struct Entry: Equatable {
    let mail: UInt32
    let digest: Fingerprint?
  }

  private(set) var byMessageID: [Fingerprint: Entry] = [:]
  /// Further mails with the message id of one in `byMessageID`, told apart by digest; rare.
  private(set) var namesakes: [Fingerprint: [Entry]] = [:]
  private(set) var byDigest: [Fingerprint: UInt32] = [:]

  /// The mail that `content` is, where it was delivered before.
  func mail(like content: MailContent) -> MailID? {
    let digest = content.digest.map(Self.hash(digest:))
    guard let messageID = content.messageID.map(Self.hash(messageID:)) else {
      return digest.flatMap { byDigest[$0] }.map { MailID(slot: $0) }
    }
    guard let entry = byMessageID[messageID] else { return nil }
    if Self.agree(entry.digest, digest) { return MailID(slot: entry.mail) }
    return namesakes[messageID]?.first { Self.agree($0.digest, digest) }
      .map { MailID(slot: $0.mail) }
  }

  mutating func add(_ mail: MailID, _ content: MailContent) {
    let digest = content.digest.map(Self.hash(digest:))
    guard let messageID = content.messageID.map(Self.hash(messageID:)) else {
      if let digest, byDigest[digest] == nil { byDigest[digest] = mail.slot }
      return
    }
    add(messageID, Entry(mail: mail.slot, digest: digest))
  }

  private mutating func add(_ messageID: Fingerprint, _ entry: Entry) {
    if byMessageID[messageID] == nil {
      byMessageID[messageID] = entry
    } else {
      namesakes[messageID, default: []].append(entry)
    }
  }

  private static func agree(_ a: Fingerprint?, _ b: Fingerprint?) -> Bool {
    guard let a, let b else { return true }
    return a == b
  }

  private static func hash(messageID: String) -> Fingerprint {
    Fingerprint(of: "swipestream message id\n" + messageID)
  }

  private static func hash(digest: String) -> Fingerprint {
    Fingerprint(of: "swipestream message digest\n" + digest)
  }

  init() {}

  /// With room for what is known to come.
  init(messageIDs: Int, digests: Int) {
    byMessageID.reserveCapacity(messageIDs)
    byDigest.reserveCapacity(digests)
  }

  mutating func add(_ mail: UInt32, messageID: Fingerprint, digest: Fingerprint?) {
    add(messageID, Entry(mail: mail, digest: digest))
  }

  /// - Returns: false where another mail has the digest; then nothing is added.
  mutating func add(_ mail: UInt32, digest: Fingerprint) -> Bool {
    guard byDigest[digest] == nil else { return false }
    byDigest[digest] = mail
    return true
  }
}
