internal import Digests

/// What tells a mail from others, as hashes; 32 bytes, since a mailbox keeps one for each mail.
struct MailTrace: Sendable, Equatable {
  /// No hash is this: where one would be, it is another.
  private static let none = Fingerprint(high: 0, low: 0)

  private var messageIDHash = none
  private var digestHash = none

  /// Of a mail with neither message id nor digest.
  init() {}

  init(messageID: Fingerprint?, digest: Fingerprint?) {
    messageIDHash = messageID ?? Self.none
    digestHash = digest ?? Self.none
  }

  init(_ content: MailContent) {
    self.init(
      messageID: content.messageID.map(Self.hash(messageID:)),
      digest: content.digest.map { Fingerprint(of: "swipestream message digest\n" + $0) })
  }

  static func hash(messageID: String) -> Fingerprint {
    Fingerprint(of: "swipestream message id\n" + messageID)
  }

  var messageID: Fingerprint? { messageIDHash == Self.none ? nil : messageIDHash }
  var digest: Fingerprint? { digestHash == Self.none ? nil : digestHash }

  /// What the mail is found by. Hashes of message ids and of digests never meet: different texts
  /// are before them.
  var key: Fingerprint? { messageID ?? digest }

  /// Whether two mails with one key are the same mail.
  func agrees(with other: MailTrace) -> Bool {
    guard let digest, let other = other.digest else { return true }
    return digest == other
  }

  func salted(with salt: Fingerprint) -> MailTrace {
    MailTrace(
      messageID: messageID.map { Self.hash($0, salt) }, digest: digest.map { Self.hash($0, salt) })
  }

  private static func hash(_ hash: Fingerprint, _ salt: Fingerprint) -> Fingerprint {
    Fingerprint {
      $0.update("swipestream erased mail\n")
      $0.update(salt.description)
      $0.update(hash.description)
    }
  }
}
