public import FastJSON

/// One place of a log that is not as it was written.
public struct LogDamage: Error, Sendable, Equatable, CustomStringConvertible {
  /// The file's name in `DIR/log`.
  public let file: String
  /// Where in the file.
  public let offset: Int
  /// Whose records it concerns; nil where it is none's in particular.
  public let positions: ClosedRange<UInt64>?
  /// The part of them that cannot be read; nil where everything can.
  public let lost: ClosedRange<UInt64>?
  public let reason: String
  /// Whether nothing is there to be read behind it: the log has lost its end.
  public let isLostEnd: Bool

  init(
    file: String, offset: Int, positions: ClosedRange<UInt64>?, lost: ClosedRange<UInt64>? = nil,
    reason: String, isLostEnd: Bool = false
  ) {
    self.file = file
    self.offset = offset
    self.positions = positions
    self.lost = lost
    self.reason = reason
    self.isLostEnd = isLostEnd
  }

  /// The words in which a start refuses it.
  public var description: String {
    EventLogError.damaged(file: file, offset: offset, positions: positions, reason: reason)
      .description
  }

  /// What `log repair --fill` does about it.
  public var remedy: String {
    guard let lost else {
      return "`log repair --fill` writes this part anew; no event is lost"
    }
    let count = lost.upperBound - lost.lowerBound + 1
    return "`log repair --fill` keeps everything else and puts "
      + (count == 1
        ? "a `log.lost` event at position \(lost.lowerBound)"
        : "`log.lost` events at the positions \(lost.lowerBound) to \(lost.upperBound)")
  }

  /// Writes it as a JSON object.
  public func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.key("file")
    writer.value(file)
    writer.key("offset")
    writer.value(offset)
    Self.write(positions, as: "positions", to: &writer)
    Self.write(lost, as: "lost", to: &writer)
    writer.key("reason")
    writer.value(reason)
    writer.key("repair")
    writer.value(remedy)
    writer.endObject()
  }

  private static func write(
    _ positions: ClosedRange<UInt64>?, as key: StaticString, to writer: inout JSONWriter
  ) {
    writer.key(key)
    guard let positions else { return writer.null() }
    writer.beginObject()
    writer.key("first")
    writer.value(positions.lowerBound)
    writer.key("last")
    writer.value(positions.upperBound)
    writer.endObject()
  }
}
