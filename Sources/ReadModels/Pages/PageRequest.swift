public import Domain
public import EventSourcing

/// Which part of a view is asked for.
public struct PageRequest: Sendable, Equatable {
  public static let limitRange = 1...1000
  public static let defaultLimit = 100

  /// A page's rows end before this much JSON, so that a reply stays under the wire's 1 MiB.
  static let byteLimit = 768 << 10

  /// Which of a mailbox's mails are asked for; nil for all of them.
  public var box: MailBox?
  /// Only mails that have it.
  public var label: MailLabel?
  /// Only mails of this thread.
  public var thread: Int?
  /// How many mails or items a page holds at most.
  public var limit: Int
  /// What an earlier page gave; nil for the first page.
  public var cursor: String?

  public init(
    box: MailBox? = .inbox, label: MailLabel? = nil, thread: Int? = nil, limit: Int = defaultLimit,
    cursor: String? = nil
  ) {
    self.box = box
    self.label = label
    self.thread = thread
    self.limit = limit
    self.cursor = cursor
  }

  /// - Parameters:
  ///   - box: a box's name or `all`; nil for the inbox.
  ///   - label: a label, in either case of letters.
  /// - Throws: `invalid` for names that there are none of.
  public init(
    in box: String?, label: String?, thread: Int?, limit: Int, cursor: String?
  ) throws(ServiceError) {
    self.init(thread: thread, limit: limit, cursor: cursor)
    if let box, box != "all" {
      guard let known = MailBox(rawValue: box) else {
        throw ServiceError(
          .invalid, "'in' must be 'inbox', 'archive', 'snoozed', 'trash' or 'all'")
      }
      self.box = known
    } else if box != nil {
      self.box = nil
    }
    guard let label else { return }
    self.label = MailLabel(label)
    if self.label == nil { throw ServiceError(.invalid, "'label' must be a label") }
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
