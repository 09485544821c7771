public import FastJSON
internal import Glibc

/// Which command an event is of, as its `meta` says.
public struct EventCause: Sendable, Equatable {
  public let command: CommandID
  /// The earlier command that this one takes back; nil for most.
  public var undoes: CommandID? { undone.first }

  /// At most one; an array, as an id in place would be copied with every event.
  private let undone: [CommandID]

  public init(command: CommandID, undoes: CommandID? = nil) {
    self.command = command
    undone = undoes.map { [$0] } ?? []
  }

  /// Reads an event's `meta`, mostly without the parser; nil where it names no command, as with what
  /// a repair of the log left.
  public init?(meta: UnsafeRawBufferPointer, _ parser: JSONParser) {
    if let known = Self(canonical: meta) {
      self = known
      return
    }
    defer { withExtendedLifetime(parser) {} }
    guard let meta = try? parser.parse(meta), let command = meta["command"]?.string,
      let id = CommandID(command)
    else { return nil }
    self.init(command: id, undoes: meta["undoes"]?.string.flatMap { CommandID($0) })
  }

  private static let opening: StaticString = #"{"command":""#

  /// The form that nearly all have: an id without escapes, and nothing taken back. One pass, as a
  /// replay reads it of every event.
  private init?(canonical meta: UnsafeRawBufferPointer) {
    let start = Self.opening.utf8CodeUnitCount
    guard meta.count > start, let bytes = meta.baseAddress,
      memcmp(bytes, Self.opening.utf8Start, start) == 0
    else { return nil }
    let limit = min(meta.count, start + CommandID.lengthLimit + 1)
    var end = start
    while end < limit, meta[end] != UInt8(ascii: "\"") {
      guard (0x20...0x7E).contains(meta[end]), meta[end] != UInt8(ascii: "\\") else { return nil }
      end += 1
    }
    guard end > start, end < limit else { return nil }
    // Only `undoes` begins so, of what may come next.
    if end + 3 < meta.count, meta[end + 3] == UInt8(ascii: "u") { return nil }
    self.init(command: CommandID(valid: UnsafeRawBufferPointer(rebasing: meta[start..<end])))
  }
}
