public import Glibc

/// A string inside a parsed document, its escapes resolved: a view that copies nothing, valid as
/// long as the document.
///
/// It can be matched against literals without being made a `String`:
/// `switch text { case "flag": … }`.
public struct JSONText {
  public let utf8: UnsafeBufferPointer<UInt8>

  @inlinable
  public init(utf8: UnsafeBufferPointer<UInt8>) { self.utf8 = utf8 }

  public var string: String { String(decoding: utf8, as: UTF8.self) }

  /// Whether it is these bytes.
  @inlinable
  @inline(__always)
  public func equals(_ literal: StaticString) -> Bool {
    utf8.count == literal.utf8CodeUnitCount
      && (utf8.isEmpty
        || memcmp(utf8.baseAddress!, literal.utf8Start, literal.utf8CodeUnitCount) == 0)
  }

  @inlinable
  @inline(__always)
  public static func ~= (literal: StaticString, text: JSONText) -> Bool { text.equals(literal) }
}

extension String {
  /// Calls `body` with the text as a document's strings are given.
  public func withJSONText<Result, Failure: Error>(
    _ body: (JSONText) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    // Never through `withUTF8`: its closure cannot throw a typed error.
    let bytes = Array(utf8)
    return try bytes.withUnsafeBufferPointer { bytes throws(Failure) in
      try body(JSONText(utf8: bytes))
    }
  }
}
