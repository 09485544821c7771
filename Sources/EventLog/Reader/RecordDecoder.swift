internal import EventSourcing

/// Makes events of records. Used by one thread at a time.
struct RecordDecoder {
  private var streams = NameCache<StreamID>()
  private var types = NameCache<EventType>()

  /// The event in the record at `offset` of `chunk`, whose `data` and `meta` share the chunk.
  ///
  /// - Parameters:
  ///   - bytes: those of `chunk`.
  ///   - end: where the record must end at the latest.
  @inline(__always)
  mutating func event(
    in chunk: [UInt8], bytes: UnsafeRawBufferPointer, at offset: Int, end: Int, position: UInt64
  ) throws(FrameFault) -> RecordedEvent {
    let part = bytes.part(offset..<end)
    let record = try RecordFrame(part)
    guard record.position == position else {
      throw FrameFault("a record says it has position \(record.position)")
    }
    return RecordedEvent(
      position: GlobalPosition(position), stream: try stream(of: record, in: part),
      revision: Revision(record.revision),
      type: try type(of: record, in: part), schema: record.schema,
      time: Timestamp(microseconds: record.time),
      data: chunk[offset + record.data.lowerBound..<offset + record.data.upperBound],
      meta: chunk[offset + record.meta.lowerBound..<offset + record.meta.upperBound])
  }

  /// - Parameter bytes: the record's.
  @inline(__always)
  mutating func stream(
    of record: RecordFrame, in bytes: UnsafeRawBufferPointer
  ) throws(FrameFault) -> StreamID {
    guard let stream = streams.value(for: bytes.part(record.stream), make: { try? StreamID($0) })
    else { throw FrameFault("a record's stream has no valid name") }
    return stream
  }

  @inline(__always)
  private mutating func type(
    of record: RecordFrame, in bytes: UnsafeRawBufferPointer
  ) throws(FrameFault) -> EventType {
    guard let type = types.value(for: bytes.part(record.type), make: { EventType($0) }) else {
      throw FrameFault("a record's type has no valid name")
    }
    return type
  }
}
