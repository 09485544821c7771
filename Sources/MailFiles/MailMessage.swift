/// One mail as read from a file: what a mailbox shows of it, and how to know it again.
///
/// Texts are valid UTF-8 without control characters; what could not be decoded is U+FFFD.
public struct MailMessage: Sendable, Equatable {
  /// The sender's display name, else the address, else what the `From` header says, else "".
  ///
  /// At most 998 bytes, cut on a character boundary.
  public var from: String
  /// The `To` addresses as `Name <address>` or `address`; groups are listed by their members.
  ///
  /// At most 1000 entries of at most 998 bytes; the same holds for `cc`.
  public var to: [String]
  /// The `Cc` addresses, as in `to`.
  public var cc: [String]
  /// The decoded subject on one line, at most 998 bytes, cut on a character boundary.
  public var subject: String
  /// The start of the mail's text with white space collapsed, at most 512 bytes, cut on a
  /// character boundary.
  ///
  /// Taken from the first `text/plain` part with any text, else from the first `text/html` part
  /// without its markup; attachments are passed over. An embedded message is read only if nothing
  /// outside of it has text.
  public var preview: String
  /// RFC 3339 UTC with microseconds (`2026-01-02T03:04:05.000000Z`).
  ///
  /// From the `Date` header, or where that is absent or empty from the mbox `From ` line. A date
  /// that is broken, impossible or outside of the years 1–9999 is nil, never the present time.
  public var date: String?
  /// The `Message-ID` without its angle brackets; nil where it is absent or empty.
  public var messageID: String?
  /// The first id of `In-Reply-To` without its angle brackets.
  public var inReplyTo: String?
  /// The ids of `References` without their angle brackets, at most 1000.
  public var references: [String]
  /// Lowercase hex SHA-256 of the message's canonical form; the same for every container.
  ///
  /// What is hashed are the raw bytes of the message with these changes:
  /// - without the mbox `From ` line and a byte order mark before the headers;
  /// - CRLF is LF; empty lines at the end are dropped and the last line ends with LF;
  /// - a line of `>` signs followed by `From ` is `From ` (quoted once, twice or not at all,
  ///   as the mbox flavours do, is the same mail);
  /// - without the header fields in which mail stores keep state and counts: `Status`,
  ///   `X-Status`, `X-Keywords`, `X-Mozilla-Status`, `X-Mozilla-Status2`, `X-Mozilla-Keys`,
  ///   `X-UID`, `X-IMAP`, `X-IMAPbase`, `Content-Length` (only in the message's own header, any
  ///   letter case, with their continuation lines).
  public var digest: String
  /// Bytes of the message as found: without the mbox `From ` line and separating blank line.
  public var size: Int
  /// Maildir flag `S` and not in `new/`; in an mbox `Status: R` (or `X-Mozilla-Status` bit 0).
  public var isRead: Bool
  /// Maildir flag `F`; in an mbox `X-Status: F` (or `X-Mozilla-Status` bit 2).
  public var isFlagged: Bool
  /// Maildir flag `R`; in an mbox `X-Status: A` (or `X-Mozilla-Status` bit 1).
  public var isAnswered: Bool
  /// Maildir flag `T`; in an mbox `X-Status: D` (or `X-Mozilla-Status` bit 3).
  public var isTrashed: Bool
}

extension MailMessage {
  /// Sets the four flags.
  mutating func apply(_ flags: MailFlags) {
    isRead = flags.contains(.read)
    isFlagged = flags.contains(.flagged)
    isAnswered = flags.contains(.answered)
    isTrashed = flags.contains(.trashed)
  }
}
