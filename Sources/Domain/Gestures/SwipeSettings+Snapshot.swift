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
  func writeSnapshot(to writer: inout SnapshotWriter) { writer.json { writeObject(to: &$0) } }

  init(snapshot reader: inout SnapshotReader) throws(SnapshotDecodingError) {
    self = try reader.json("swipe settings") { fields throws(FieldError) in
      try SwipeConfiguration(fields, from: .event)
    } write: {
      $0.writeObject(to: &$1)
    }
  }

  private func writeObject(to writer: inout JSONWriter) {
    writer.beginObject()
    writeMembers(to: &writer)
    writer.endObject()
  }
}
