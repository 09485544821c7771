public import Digests

/// The id that a client chooses for a command, unique per stream: 1–64 printable ASCII characters.
/// Ids that begin with `~` are the service's.
///
/// It is held in place, without an allocation: thousands of them are on their way at a time.
public struct CommandID: Hashable, Sendable, CustomStringConvertible {
  private typealias Words = (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64)

  /// Zero behind the id's end.
  private var words: Words = (0, 0, 0, 0, 0, 0, 0, 0)
  private let length: UInt8

  /// In bytes.
  public static let lengthLimit = 64

  /// Nil where `text` is no command id.
  public init?(_ text: String) {
    var text = text
    guard let id = text.withUTF8({ CommandID(utf8: $0) }) else { return nil }
    self = id
  }

  /// Nil where `text` is no command id.
  public init?(utf8 text: UnsafeBufferPointer<UInt8>) {
    guard (1...Self.lengthLimit).contains(text.count),
      text.allSatisfy({ (0x20...0x7E).contains($0) })
    else { return nil }
    length = UInt8(text.count)
    withUnsafeMutableBytes(of: &words) { $0.copyMemory(from: UnsafeRawBufferPointer(text)) }
  }

  /// - Precondition: `text` is an id's characters.
  init(valid text: UnsafeRawBufferPointer) {
    length = UInt8(text.count)
    withUnsafeMutableBytes(of: &words) { $0.copyMemory(from: text) }
  }

  public var description: String { withUTF8 { String(decoding: $0, as: UTF8.self) } }

  /// Calls `body` with the id's characters.
  @inline(__always)
  public func withUTF8<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
    withUnsafeBytes(of: words) { bytes in
      body(
        UnsafeBufferPointer(
          start: bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), count: Int(length)))
    }
  }

  /// Whether the id is one of the service's own.
  public var isReserved: Bool { withUTF8 { $0.first == UInt8(ascii: "~") } }

  public static func == (a: CommandID, b: CommandID) -> Bool {
    a.length == b.length && a.words.0 == b.words.0 && a.words.1 == b.words.1
      && a.words.2 == b.words.2 && a.words.3 == b.words.3 && a.words.4 == b.words.4
      && a.words.5 == b.words.5 && a.words.6 == b.words.6 && a.words.7 == b.words.7
  }

  public func hash(into hasher: inout Hasher) {
    withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }
}

/// What a command asks for, hashed: the same id with another content is a reused id.
public struct ContentHash: Hashable, Sendable, CustomStringConvertible {
  public let rawValue: UInt64

  public init(rawValue: UInt64) { self.rawValue = rawValue }

  /// What is left of a hash when the text that it was made of is erased. No command has it.
  public static let erased = ContentHash(rawValue: 0)

  /// The hash of a command's canonical form.
  public init(of fingerprint: Fingerprint) {
    rawValue = fingerprint.high == Self.erased.rawValue ? 1 : fingerprint.high
  }

  /// Nil where `text` is not what ``description`` gives.
  public init?(_ text: some Collection<UInt8>) {
    guard text.count == 16, let value = Hexadecimal.value(text) else { return nil }
    rawValue = value
  }

  /// Sixteen hexadecimal digits.
  public var description: String { Hexadecimal.string(rawValue) }
}

/// What the log finds a command by: a hash of stream and id, never 0.
///
/// Two commands may share a key; whoever looks one up compares stream and id with the record.
public struct CommandKey: Hashable, Sendable {
  public let rawValue: UInt64

  /// - Precondition: `rawValue` is not 0.
  public init(rawValue: UInt64) {
    precondition(rawValue != 0)
    self.rawValue = rawValue
  }

  /// The first 64 bits of the SHA-256 of the stream's name, a space and the id.
  public init(_ id: CommandID, in stream: StreamID) {
    // A space occurs in no stream name, so the two parts cannot run into each other.
    var name = stream.description
    let hash = name.withUTF8 { name in
      id.withUTF8 { id in
        Self.hash(UnsafeRawBufferPointer(name), UnsafeRawBufferPointer(id))
      }
    }
    rawValue = hash == 0 ? 1 : hash
  }

  private static func hash(
    _ name: UnsafeRawBufferPointer, _ id: UnsafeRawBufferPointer
  ) -> UInt64 {
    withUnsafeBytes(of: UInt8(ascii: " ")) { space in
      if name.count + id.count < ShortMessage.limit {
        var message = ShortMessage()
        message.append(name)
        message.append(space)
        message.append(id)
        return message.fingerprint().high
      }
      return Fingerprint {
        $0.update(name)
        $0.update(space)
        $0.update(id)
      }.high
    }
  }
}

/// A command that wrote events, as the log remembers it.
public struct RecordedCommand: Sendable, Equatable {
  public let id: CommandID
  public let content: ContentHash
  /// Of its last event.
  public let revision: Revision
  /// Of its last event.
  public let position: GlobalPosition
  /// How many events it wrote.
  public let eventCount: Int
  /// Its outcome, a JSON object.
  public let outcome: [UInt8]

  public init(
    id: CommandID, content: ContentHash, revision: Revision, position: GlobalPosition,
    eventCount: Int, outcome: [UInt8]
  ) {
    self.id = id
    self.content = content
    self.revision = revision
    self.position = position
    self.eventCount = eventCount
    self.outcome = outcome
  }
}
