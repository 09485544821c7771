public import Digests
public import EventSourcing

/// The facts of a mail as `deliver` gave them.
public struct MailContent: Sendable, Equatable {
  /// At most 998 bytes each.
  public var from: String
  public var subject: String
  /// A preview, at most 512 bytes.
  public var message: String
  public var date: Timestamp?
  public var to: [String]?
  public var cc: [String]?
  public var messageID: String?
  public var inReplyTo: String?
  public var references: [String]?
  /// A digest of the raw message, as the client computes it.
  public var digest: String?
  /// Bytes of the raw message.
  public var size: Int?
  public var read: Bool?
  public var flagged: Bool?
  public var answered: Bool?
  public var trashed: Bool?
  public var archived: Bool?
  public var pinned: Bool?
  /// In order, each once.
  public var labels: [MailLabel]?
  /// The thread that the mail joins, by its first mail; nil where it begins its own. The mailbox
  /// decides it, no sender.
  public var thread: MailID?
  /// Where a mail that was moved here comes from.
  public var origin: MailOrigin?

  public init(
    from: String, subject: String, message: String, date: Timestamp? = nil, to: [String]? = nil,
    cc: [String]? = nil, messageID: String? = nil, inReplyTo: String? = nil,
    references: [String]? = nil, digest: String? = nil, size: Int? = nil, read: Bool? = nil,
    flagged: Bool? = nil, answered: Bool? = nil, trashed: Bool? = nil, archived: Bool? = nil,
    pinned: Bool? = nil, labels: [MailLabel]? = nil, thread: MailID? = nil,
    origin: MailOrigin? = nil
  ) {
    self.from = from
    self.subject = subject
    self.message = message
    self.date = date
    self.to = to
    self.cc = cc
    self.messageID = messageID
    self.inReplyTo = inReplyTo
    self.references = references
    self.digest = digest
    self.size = size
    self.read = read
    self.flagged = flagged
    self.answered = answered
    self.trashed = trashed
    self.archived = archived
    self.pinned = pinned
    self.labels = labels
    self.thread = thread
    self.origin = origin
  }
}

/// A mail in another mailbox.
public struct MailOrigin: Sendable, Equatable {
  public var stream: StreamID
  public var mail: MailID

  public init(stream: StreamID, mail: MailID) {
    self.stream = stream
    self.mail = mail
  }
}

/// Why a snoozed mail woke.
public enum WakeReason: String, Sendable, CaseIterable {
  case command
  case time
  /// A mail came into its thread.
  case reply
}

/// That a mail's text leaves the log, and what stays to know the mail by when it comes again.
public struct MailErasure: Sendable, Equatable {
  /// Nil for a mail that had neither message id nor digest.
  public var known: KnownMail?

  public init(known: KnownMail?) { self.known = known }
}

/// A mail's message id and digest as salted hashes.
public struct KnownMail: Sendable, Equatable {
  /// The mailbox's; the same for all of its erased mails.
  public var salt: Fingerprint
  public var messageID: Fingerprint?
  public var digest: Fingerprint?

  public init(salt: Fingerprint, messageID: Fingerprint?, digest: Fingerprint?) {
    self.salt = salt
    self.messageID = messageID
    self.digest = digest
  }
}

/// What happened in a mailbox.
public enum MailboxEvent: Sendable, Equatable {
  // The two large cases are indirect: the small ones that a log is full of stay cheap to copy.

  /// New mail arrives at the top.
  indirect case delivered(MailID, MailContent)
  case read(MailID)
  case unread(MailID)
  case flagged(MailID)
  case unflagged(MailID)
  /// The mail keeps its place in the order, out of sight.
  case trashed(MailID)
  /// Back at its place, with its read and flag state.
  case restored(MailID)
  /// Gone for good; with an erasure, out of the log too.
  indirect case purged(MailID, MailErasure?)
  /// Directly below `after`, or to the top.
  case reordered(MailID, after: MailID?)
  indirect case swipeConfigured(SwipeConfiguration)
  /// One mail's row is swiped in its own way, on the sides given: all that it has of its own.
  indirect case mailSwipeConfigured(MailID, SwipeConfiguration)
  /// The mail's row is swiped as all rows are again.
  case mailSwipeCleared(MailID)
  /// Out of the inbox, in its place in the order.
  case archived(MailID)
  case unarchived(MailID)
  /// Before all that are not pinned.
  case pinned(MailID)
  case unpinned(MailID)
  case labeled(MailID, MailLabel)
  case unlabeled(MailID, MailLabel)
  /// Out of sight until then, in its place in the order.
  case snoozed(MailID, until: Timestamp)
  case unsnoozed(MailID, WakeReason)
  /// From now on new mails of the thread arrive in the archive. A thread is named by its first mail.
  case threadMuted(MailID)
  case threadUnmuted(MailID)
  /// For how long mails stay in the trash; nil for ever.
  case retentionConfigured(TrashRetention?)
  /// Asked to go to another mailbox; until that is done, nothing else is done to the mail here.
  indirect case moveRequested(MailID, to: StreamID)
  /// Gone to another mailbox, where it is that mail.
  indirect case moved(MailID, to: StreamID, as: MailID)
  /// The other mailbox does not take the mail, so it stays.
  indirect case moveFailed(MailID, to: StreamID, reason: String)
  /// Something that cannot be read any more: a repair of the log left this in its place.
  case lost
}
