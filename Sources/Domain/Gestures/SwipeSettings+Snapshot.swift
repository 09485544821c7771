internal import EventSourcing
internal import FastJSON

extension SwipeSettings {
  /// About how many bytes of memory settings take.
  static let memoryFootprint = 1024

  /// Writes both sides as the JSON that views show.
  func writeSnapshot(to writer: inout SnapshotWriter) {
    SwipeConfiguration(leftToRight: leftToRight, rightToLeft: rightToLeft)
      .writeSnapshot(to: &writer)
  }

  init(snapshot reader: inout SnapshotReader) throws(SnapshotDecodingError) {
    let sides = try SwipeConfiguration(snapshot: &reader)
    guard let leftToRight = sides.leftToRight, let rightToLeft = sides.rightToLeft else {
      throw SnapshotDecodingError("swipe settings lack a side")
    }
    self.init(leftToRight: leftToRight, rightToLeft: rightToLeft)
  }
}

extension SwipeConfiguration {
  /// Writes the sides given as JSON.
  func writeSnapshot(to writer: inout SnapshotWriter) { writer.counted(json) }

  init(snapshot reader: inout SnapshotReader) throws(SnapshotDecodingError) {
    let bytes = try reader.counted()
    let parser = JSONParser()
    defer { withExtendedLifetime(parser) {} }
    do {
      self = try SwipeConfiguration(Fields(try parser.parse(bytes)), from: .event)
    } catch {
      throw SnapshotDecodingError("swipe settings: \(error)")
    }
    guard json == Array(bytes) else {
      throw SnapshotDecodingError("swipe settings are not written as they are here")
    }
  }

  private var json: [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    writeMembers(to: &writer)
    writer.endObject()
    return writer.bytes
  }
}
