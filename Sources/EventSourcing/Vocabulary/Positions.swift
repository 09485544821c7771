internal import Digests

/// How many events a stream has: its events are counted from 1, and 0 means it has none.
public struct Revision: Hashable, Comparable, Sendable, CustomStringConvertible {
  public let rawValue: UInt64

  /// Of a stream without events.
  public static let none = Revision(0)

  public init(_ rawValue: UInt64) { self.rawValue = rawValue }

  public static func < (a: Revision, b: Revision) -> Bool { a.rawValue < b.rawValue }

  /// The revision after `count` further events.
  public func advanced(by count: Int) -> Revision { Revision(rawValue + UInt64(count)) }

  public var description: String { String(rawValue) }
}

/// An event's place in the whole log: counted from 1, without gaps. 0 is before the first event.
public struct GlobalPosition: Hashable, Comparable, Sendable, CustomStringConvertible {
  public let rawValue: UInt64

  /// Before the first event.
  public static let start = GlobalPosition(0)

  public init(_ rawValue: UInt64) { self.rawValue = rawValue }

  public static func < (a: GlobalPosition, b: GlobalPosition) -> Bool { a.rawValue < b.rawValue }

  /// The position `count` events further on.
  public func advanced(by count: Int) -> GlobalPosition {
    GlobalPosition(rawValue + UInt64(count))
  }

  public var description: String { String(rawValue) }
}

/// What an append knows about its stream; anything else there is a conflict.
public enum ExpectedRevision: Sendable, Equatable {
  case any
  case noStream
  case exactly(Revision)

  /// Whether a stream at `revision` is as expected.
  public func allows(_ revision: Revision) -> Bool {
    switch self {
    case .any: true
    case .noStream: revision == .none
    case .exactly(let expected): revision == expected
    }
  }
}

/// A log's identity, a UUID: born with the log, and anew with every restore.
public struct LogID: Hashable, Sendable, CustomStringConvertible {
  /// 16 bytes.
  public let bytes: [UInt8]

  /// - Precondition: `bytes` has 16 elements.
  public init(bytes: [UInt8]) {
    precondition(bytes.count == 16)
    self.bytes = bytes
  }

  /// A new random id (UUID version 4, RFC 9562).
  public static func random() -> LogID {
    var bytes = (0..<16).map { _ in UInt8.random(in: .min ... .max) }
    bytes[6] = bytes[6] & 0x0F | 0x40
    bytes[8] = bytes[8] & 0x3F | 0x80
    return LogID(bytes: bytes)
  }

  /// The id that ``description`` gave as `text`; nil for any other text.
  public init?(_ text: String) {
    guard let bytes = Hexadecimal.bytes(text.utf8.filter { $0 != UInt8(ascii: "-") }),
      bytes.count == 16
    else { return nil }
    self.bytes = bytes
    if description != text { return nil }
  }

  /// The usual 8-4-4-4-12 form.
  public var description: String {
    let hex = Array(Hexadecimal.string(bytes).utf8)
    return [0..<8, 8..<12, 12..<16, 16..<20, 20..<32]
      .map { String(decoding: hex[$0], as: UTF8.self) }.joined(separator: "-")
  }
}
