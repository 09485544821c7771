internal import EventSourcing

/// Which part of a view is asked for.
public struct PageRequest: Sendable, Equatable {
  public static let limitRange = 1...1000
  public static let defaultLimit = 100

  /// A page's rows end before this much JSON, so that a reply stays under the wire's 1 MiB.
  static let byteLimit = 768 << 10

  /// Whether a mailbox's trash is asked for instead of its visible mails.
  public var showsTrash: Bool
  /// How many mails or items a page holds at most.
  public var limit: Int
  /// What an earlier page gave; nil for the first page.
  public var cursor: String?

  public init(showsTrash: Bool = false, limit: Int = defaultLimit, cursor: String? = nil) {
    self.showsTrash = showsTrash
    self.limit = limit
    self.cursor = cursor
  }

  /// - Throws: `invalid` where the limit is out of range or the cursor is none.
  func check() throws(ServiceError) -> PageCursor? {
    guard Self.limitRange.contains(limit) else {
      throw ServiceError(.invalid, "'limit' must be an integer from 1 to 1000")
    }
    return try cursor.map { text throws(ServiceError) in try PageCursor(text) }
  }
}

/// A page as JSON.
struct WrittenPage {
  let json: [UInt8]
  /// Whether nothing comes behind it.
  let isLast: Bool
}
