/// Why a path cannot be read, or changed, at all. Trouble with single mails is `MailSource.skipped` instead.
public struct MailFilesError: Error, Sendable, Equatable, CustomStringConvertible {
  public enum Code: String, Sendable {
    /// Nothing is at the path.
    case notFound = "not-found"
    /// The path or a folder that belongs to it cannot be looked into.
    case unreadable
    /// A file cannot be renamed or written.
    case unwritable
    /// Another process keeps the folder for itself.
    case locked
  }

  public let code: Code
  /// The path as it was given, or the folder within it.
  public let path: String
  /// The system's words for the failure.
  public let reason: String

  public var description: String { "\(path): \(reason)" }
}
