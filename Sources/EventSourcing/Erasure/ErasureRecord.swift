internal import FastJSON

/// The log's own record of what was erased: `erasure.completed` in `system/erasures`.
enum ErasureRecord {
  static let type: EventType = "erasure.completed"
  /// So that an event stays far below what one message may have.
  private static let positionsPerEvent = 10_000

  static var stream: StreamID {
    do throws(StreamIDError) {
      return try StreamID("system/erasures")
    } catch {
      preconditionFailure("\(error)")
    }
  }

  /// Adds the records of `part`; with more events replaced than one record may list, there are
  /// several, the first of which lists what was erased.
  static func add(_ part: ErasureBatch.Part, to batch: inout AppendBatch) {
    var positions = part.replaced[...]
    var subjects = part.subjects.sorted()
    repeat {
      let listed = positions.prefix(positionsPerEvent)
      positions = positions.dropFirst(positionsPerEvent)
      batch.add(type) { writer in
        writer.beginObject()
        writer.key("stream")
        writer.value(part.stream.description)
        writer.key(part.events.subjects)
        write(subjects, to: &writer)
        writer.key("positions")
        write(listed.map { Int(clamping: $0.rawValue) }, to: &writer)
        writer.key("purge")
        writer.value(part.position.rawValue)
        writer.endObject()
      } meta: { writer in
        guard let command = CommandID("~erasure-\(part.position)") else { return }
        EventMeta.write(
          command: command, via: nil, metadata: CommandMetadata(), completion: nil, to: &writer)
      }
      subjects = []
    } while !positions.isEmpty
  }

  private static func write(_ numbers: [Int], to writer: inout JSONWriter) {
    writer.beginArray()
    for number in numbers { writer.value(number) }
    writer.endArray()
  }

  /// Up to where everything was erased, by the last record.
  static func purge(in event: RecordedEvent) -> GlobalPosition? {
    let parser = JSONParser()
    defer { withExtendedLifetime(parser) {} }
    guard let purge = (try? parser.parse(event.data))?["purge"]?.integer else { return nil }
    return GlobalPosition(UInt64(clamping: purge))
  }
}
