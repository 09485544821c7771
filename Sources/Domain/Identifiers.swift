/// A mail's number in its mailbox: assigned in order from 1, never used again (as an IMAP UID,
/// RFC 9051 section 2.3.1.1).
public struct MailID: Hashable, Comparable, Sendable, CustomStringConvertible {
  public let rawValue: Int

  public init(_ rawValue: Int) { self.rawValue = rawValue }

  public static func < (a: MailID, b: MailID) -> Bool { a.rawValue < b.rawValue }

  public var description: String { String(rawValue) }
}

/// An item's number in its list: assigned in order from 1, never used again.
public struct ItemID: Hashable, Comparable, Sendable, CustomStringConvertible {
  public let rawValue: Int

  public init(_ rawValue: Int) { self.rawValue = rawValue }

  public static func < (a: ItemID, b: ItemID) -> Bool { a.rawValue < b.rawValue }

  public var description: String { String(rawValue) }
}

/// A section's number in its list: assigned in order from 1, never used again.
public struct SectionID: Hashable, Comparable, Sendable, CustomStringConvertible {
  public let rawValue: Int

  public init(_ rawValue: Int) { self.rawValue = rawValue }

  public static func < (a: SectionID, b: SectionID) -> Bool { a.rawValue < b.rawValue }

  public var description: String { String(rawValue) }
}
