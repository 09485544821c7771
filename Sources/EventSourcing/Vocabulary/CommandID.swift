public import Digests

/// The id that a client chooses for a command, unique per stream: 1–64 printable ASCII characters.
/// Ids that begin with `~` are the service's.
public struct CommandID: Hashable, Sendable, CustomStringConvertible {
  public let description: String

  /// In bytes.
  public static let lengthLimit = 64

  /// Nil where `text` is no command id.
  public init?(_ text: String) {
    guard (1...Self.lengthLimit).contains(text.utf8.count),
      text.utf8.allSatisfy({ (0x20...0x7E).contains($0) })
    else { return nil }
    description = text
  }

  /// Whether the id is one of the service's own.
  public var isReserved: Bool { description.utf8.first == UInt8(ascii: "~") }
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

  public init(_ id: CommandID, in stream: StreamID) {
    // A space occurs in no stream name, so the two parts cannot run into each other.
    let hash = Fingerprint {
      $0.update(stream.description)
      $0.update(" ")
      $0.update(id.description)
    }.high
    rawValue = hash == 0 ? 1 : hash
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
