internal import Digests
public import FastJSON

/// The `meta` object of an event: where it came from, and on a command's last event what the log
/// must remember to answer the command again.
public enum EventMeta {
  /// What stands on a command's last event only.
  public struct Completion: Sendable {
    public let content: ContentHash
    public let eventCount: Int
    /// A JSON object.
    public let outcome: [UInt8]

    public init(content: ContentHash, eventCount: Int, outcome: [UInt8]) {
      self.content = content
      self.eventCount = eventCount
      self.outcome = outcome
    }
  }

  /// Writes the object, members in a fixed order; what is nil is left out.
  public static func write(
    command: CommandID, undoes: CommandID? = nil, via: String?, metadata: CommandMetadata,
    completion: Completion?, to writer: inout JSONWriter
  ) {
    guard let completion else {
      begin(command: command, undoes: undoes, via: via, metadata: metadata, to: &writer)
      return writer.endObject()
    }
    completion.outcome.withUnsafeBytes {
      writeLast(
        command: command, undoes: undoes, via: via, metadata: metadata,
        content: completion.content, eventCount: completion.eventCount, outcome: $0, to: &writer)
    }
  }

  /// Begins the object with what every event has.
  private static func begin(
    command: CommandID, undoes: CommandID?, via: String?, metadata: CommandMetadata,
    to writer: inout JSONWriter
  ) {
    writer.beginObject()
    writer.key("command")
    command.withUTF8 { writer.value(utf8: $0) }
    if let undoes {
      writer.key("undoes")
      undoes.withUTF8 { writer.value(utf8: $0) }
    }
    member("via", via, &writer)
    guard !metadata.isEmpty else { return }
    member("by", metadata.by, &writer)
    member("correlation", metadata.correlation, &writer)
    member("causation", metadata.causation, &writer)
  }

  /// Writes the members of a ``Completion``.
  private static func complete(
    content: ContentHash, eventCount: Int, outcome: UnsafeRawBufferPointer,
    to writer: inout JSONWriter
  ) {
    writer.compose(atMost: 96 + outcome.count) { out in
      put(content: content, eventCount: eventCount, outcome: outcome, to: &out)
    }
  }

  private static func put(
    content: ContentHash, eventCount: Int, outcome: UnsafeRawBufferPointer,
    to out: inout TextCursor
  ) {
    out.put(#""hash":""#)
    var digits = Hexadecimal.digits(content.rawValue)
    withUnsafeBytes(of: &digits) { out.put($0) }
    out.put(#"","events":"#)
    out.put(UInt64(eventCount))
    out.put(#","outcome":"#)
    out.put(outcome)
  }

  /// Writes the `meta` of a command's last event. Most have no more than that, and are written in
  /// one piece.
  static func writeLast(
    command: CommandID, undoes: CommandID?, via: String?, metadata: CommandMetadata,
    content: ContentHash, eventCount: Int, outcome: UnsafeRawBufferPointer,
    to writer: inout JSONWriter
  ) {
    guard undoes == nil, via == nil, metadata.isEmpty else {
      begin(command: command, undoes: undoes, via: via, metadata: metadata, to: &writer)
      complete(content: content, eventCount: eventCount, outcome: outcome, to: &writer)
      return writer.endObject()
    }
    let idLimit = TextCursor.stringBytesLimit(CommandID.lengthLimit)
    writer.compose(atMost: 128 + idLimit + outcome.count) { out in
      out.put(#"{"command":"#)
      command.withUTF8 { out.put(string: $0) }
      out.put(UInt8(ascii: ","))
      put(content: content, eventCount: eventCount, outcome: outcome, to: &out)
      out.put(UInt8(ascii: "}"))
    }
  }

  private static func member(_ key: StaticString, _ value: String?, _ writer: inout JSONWriter) {
    guard let value else { return }
    writer.key(key)
    writer.value(value)
  }

  /// The same `meta` without what was made of the command's content: the hash becomes
  /// ``ContentHash/erased``. All other bytes stay.
  public static func erasingContent(_ meta: ArraySlice<UInt8>) -> [UInt8] {
    var erased = Array(meta)
    // Inside of a text the quotes would be escaped, so the first match is the member itself.
    let member = Array(#""hash":""#.utf8)
    guard let found = erased.firstRange(of: member) else { return erased }
    let digits = found.upperBound..<found.upperBound + 16
    guard digits.upperBound < erased.count, erased[digits.upperBound] == UInt8(ascii: "\"") else {
      return erased
    }
    erased.replaceSubrange(digits, with: ContentHash.erased.description.utf8)
    return erased
  }

  /// The command that `event` is the last event of; nil where it is not one's last.
  public static func recordedCommand(
    in event: RecordedEvent, parser: JSONParser
  ) -> RecordedCommand? {
    defer { withExtendedLifetime(parser) {} }
    guard let meta = try? parser.parse(event.meta),
      let id = meta["command"]?.string.flatMap(CommandID.init),
      let hash = meta["hash"]?.utf8, let content = ContentHash(hash),
      let count = meta["events"]?.integer, let outcome = meta["outcome"]
    else { return nil }
    var writer = JSONWriter()
    writer.value(outcome)
    return RecordedCommand(
      id: id, content: content, revision: event.revision, position: event.position,
      eventCount: count, outcome: writer.bytes)
  }
}
