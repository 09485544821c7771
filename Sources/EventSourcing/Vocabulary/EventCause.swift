public import FastJSON

/// Which command an event is of, as its `meta` says.
public struct EventCause: Sendable, Equatable {
  public let command: CommandID
  /// The earlier command that this one takes back; nil for most.
  public let undoes: CommandID?

  public init(command: CommandID, undoes: CommandID? = nil) {
    self.command = command
    self.undoes = undoes
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

  /// The form that nearly all have: an id without escapes, and nothing taken back.
  private init?(canonical meta: UnsafeRawBufferPointer) {
    let start = Self.opening.utf8CodeUnitCount
    guard meta.starts(with: Self.opening) else { return nil }
    var end = start
    while end < meta.count, meta[end] != UInt8(ascii: "\"") {
      if meta[end] == UInt8(ascii: "\\") { return nil }
      end += 1
    }
    let rest = UnsafeRawBufferPointer(rebasing: meta[min(end + 1, meta.count)...])
    guard end < meta.count, !rest.starts(with: #","undoes""#) else { return nil }
    let text = UnsafeRawBufferPointer(rebasing: meta[start..<end])
    guard let id = CommandID(utf8: text.assumingMemoryBound(to: UInt8.self)) else { return nil }
    self.init(command: id)
  }
}

extension UnsafeRawBufferPointer {
  fileprivate func starts(with text: StaticString) -> Bool {
    count >= text.utf8CodeUnitCount
      && UnsafeRawBufferPointer(rebasing: self[..<text.utf8CodeUnitCount])
        .elementsEqual(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }
}
