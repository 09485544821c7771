internal import EventSourcing
internal import Glibc

/// Checks records that were read, and shows them where they are.
struct ViewReader {
  private let bytes: UnsafeRawBufferPointer
  /// Where in the file `bytes` begin.
  private let start: Int
  /// The last stream's name, which mostly is the next one's too.
  private var known = UnsafeRawBufferPointer(start: nil, count: 0)

  init(_ bytes: UnsafeRawBufferPointer, start: Int) {
    self.bytes = bytes
    self.start = start
  }

  @inline(__always)
  mutating func event(at place: RecordPlace, position: UInt64) throws(FrameFault) -> EventView {
    guard place.end - start <= bytes.count else { throw FrameFault("the file is cut short") }
    let part = bytes.part(place.offset - start..<place.end - start)
    let record = try RecordFrame(part)
    guard record.position == position else {
      throw FrameFault("a record says it has position \(record.position)")
    }
    let stream = part.part(record.stream)
    try check(stream)
    return EventView(
      position: GlobalPosition(position), stream: stream, revision: Revision(record.revision),
      type: part.part(record.type), schema: record.schema,
      time: Timestamp(microseconds: record.time), data: part.part(record.data),
      meta: part.part(record.meta))
  }

  @inline(__always)
  private mutating func check(_ stream: UnsafeRawBufferPointer) throws(FrameFault) {
    if stream.count == known.count, let name = stream.baseAddress, let other = known.baseAddress,
      memcmp(name, other, stream.count) == 0
    {
      return
    }
    guard StreamID.isName(stream) else {
      throw FrameFault("a record's stream has no valid name")
    }
    known = stream
  }
}
