/// What kind of aggregate a stream belongs to: the part before the first slash.
public enum StreamCategory: String, CaseIterable, Sendable, CustomStringConvertible {
  case mailbox
  case list
  /// The service's own records: clients may read them, never command them.
  case system

  public var description: String { rawValue }
}

/// The name of one stream, `<category>/<name>`, for example `mailbox/inbox`.
///
/// The name is 1–200 bytes of letters, digits and `. _ - @ / +`, and none of its path parts is
/// empty or made of dots only.
public struct StreamID: Hashable, Sendable, CustomStringConvertible {
  public let category: StreamCategory
  /// The whole text, category included.
  public let description: String

  /// In bytes, the category not counted.
  public static let nameLengthLimit = 200

  /// - Throws: ``StreamIDError`` with what is wrong with `text`.
  public init(_ text: String) throws(StreamIDError) {
    guard let slash = text.utf8.firstIndex(of: UInt8(ascii: "/")) else {
      throw StreamIDError(reason: "it has no '/' after its category")
    }
    let prefix = text.utf8[..<slash]
    guard
      let category = StreamCategory.allCases.first(where: {
        prefix.elementsEqual($0.rawValue.utf8)
      })
    else {
      throw StreamIDError(reason: "its category is none of mailbox, list, system")
    }
    try Self.check(name: text.utf8[text.utf8.index(after: slash)...])
    self.category = category
    description = text
  }

  /// The part after the category.
  public var name: Substring {
    description.dropFirst(category.description.utf8.count + 1)
  }

  private static func check(name: Substring.UTF8View) throws(StreamIDError) {
    guard (1...nameLengthLimit).contains(name.count) else {
      throw StreamIDError(reason: "its name must be 1 to \(nameLengthLimit) bytes")
    }
    guard name.allSatisfy(isAllowed) else {
      throw StreamIDError(reason: "its name may hold letters, digits and . _ - @ / + only")
    }
    for part in name.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) {
      if part.allSatisfy({ $0 == UInt8(ascii: ".") }) {
        throw StreamIDError(reason: "its name has an empty or dot-only part")
      }
    }
  }

  static func isAllowed(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"),
      UInt8(ascii: "-"), UInt8(ascii: "@"), UInt8(ascii: "/"), UInt8(ascii: "+"):
      true
    default: false
    }
  }
}

/// Why a text is no ``StreamID``.
public struct StreamIDError: Error, Sendable, Equatable, CustomStringConvertible {
  public let reason: String

  public var description: String { "not a stream name: \(reason)" }
}
