/// What a reader found at one place: a mail, or something that it passed over and why.
public enum MailSource: Sendable, Equatable {
  /// A mail. The origin is the file's path, with `#` and the mail's number from 1 for an mbox.
  case message(MailMessage, origin: String)
  /// Nothing could be read there; the reason is for people, such as `empty file`.
  case skipped(origin: String, reason: String)

  /// Where it was found.
  public var origin: String {
    switch self {
    case .message(_, let origin), .skipped(let origin, _): origin
    }
  }
}

/// How far an iteration has come.
public struct MailProgress: Sendable, Equatable {
  /// Bytes of the input files that are dealt with; never less than before.
  public var bytesDone: Int
  /// Bytes of all input files when the reader was made.
  public var bytesTotal: Int
  /// Mails returned so far.
  public var messages: Int
  /// Places passed over so far.
  public var skipped: Int

  /// From 0 to 1; 1 when there is nothing to read.
  public var fraction: Double {
    bytesTotal == 0 ? 1 : min(1, Double(bytesDone) / Double(bytesTotal))
  }
}
