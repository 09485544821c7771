internal import EventSourcing
internal import FastJSON

extension SwipeSettings {
  /// About how many bytes of memory settings take.
  static let memoryFootprint = 1024

  /// Writes both sides as the JSON that views show.
  func writeSnapshot(to writer: inout SnapshotWriter) { writer.counted(json) }

  init(snapshot reader: inout SnapshotReader) throws(SnapshotDecodingError) {
    let bytes = try reader.counted()
    let parser = JSONParser()
    defer { withExtendedLifetime(parser) {} }
    do {
      let configuration = try SwipeConfiguration(Fields(try parser.parse(bytes)), from: .event)
      self = configuration.applied(to: SwipeSettings())
    } catch {
      throw SnapshotDecodingError("swipe settings: \(error)")
    }
    guard json == Array(bytes) else {
      throw SnapshotDecodingError("swipe settings are not written as they are here")
    }
  }

  private var json: [UInt8] {
    var writer = JSONWriter()
    write(to: &writer)
    return writer.bytes
  }
}
