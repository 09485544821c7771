public import EventSourcing
public import FastJSON

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

  /// Reads the members `in`, `limit` and `cursor` of a request.
  ///
  /// - Throws: `invalid`, naming the member.
  public init(request: JSONValue) throws(ServiceError) {
    self.init()
    if let place = request["in"], !place.isNull {
      guard place.string == "trash" else {
        throw ServiceError(.invalid, "'in' must be \"trash\" or left out")
      }
      showsTrash = true
    }
    if let number = request["limit"], !number.isNull { limit = try Self.limit(number) }
    if let text = request["cursor"], !text.isNull {
      guard let text = text.string else { throw PageCursor.invalid }
      cursor = text
    }
  }

  private static func limit(_ value: JSONValue) throws(ServiceError) -> Int {
    guard let limit = value.integer else {
      throw ServiceError(.invalid, "'limit' must be an integer from 1 to 1000")
    }
    return limit
  }

  /// - Throws: `invalid` where the limit is out of range or the cursor is none.
  func check() throws(ServiceError) -> PageCursor? {
    guard Self.limitRange.contains(limit) else {
      throw ServiceError(.invalid, "'limit' must be an integer from 1 to 1000")
    }
    return try cursor.map { text throws(ServiceError) in try PageCursor(text) }
  }
}
