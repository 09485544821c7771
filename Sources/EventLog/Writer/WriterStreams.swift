internal import EventSourcing

/// What the writer knows of the streams that it wrote to lately, so that a part of an append costs
/// one look-up by name. It belongs to the writer's thread.
///
/// It is right because nobody else adds to a stream: what was looked up once need only be counted
/// on. Where writing fails, all is forgotten.
final class WriterStreams {
  private struct Entry {
    /// With what is written and not yet durable; nil until it is looked up.
    var revision: UInt64?
    /// Its number in the newest segment's index, once it is known.
    var place: Int32?
  }

  /// Beyond that many all are forgotten, and looked up again when they are needed.
  private let limit: Int
  private var table = StreamTable()
  private var entries: [Entry] = []
  /// The first position of the segment that the places are of.
  private var segment: UInt64 = 0

  init(limit: Int = 1 << 18) { self.limit = limit }

  /// The stream's number, valid until all are forgotten.
  @inline(__always)
  func number(of stream: StreamID) -> Int {
    let number = table.number(of: stream, StreamTable.Hash(of: stream))
    if number == entries.count { entries.append(Entry()) }
    return number
  }

  func revision(of number: Int) -> UInt64? { entries[number].revision }
  func setRevision(_ revision: UInt64, of number: Int) { entries[number].revision = revision }

  /// To be called before ``place(of:in:)``, with the first position of the newest segment.
  func begin(segment: UInt64) {
    guard segment != self.segment else { return }
    self.segment = segment
    for number in entries.indices { entries[number].place = nil }
  }

  /// The stream's number in the newest segment's index.
  @inline(__always)
  func place(of number: Int, in live: inout LiveIndex) -> Int {
    if let place = entries[number].place { return Int(place) }
    let place = live.number(of: table[number], table.hash(of: number))
    entries[number].place = Int32(place)
    return place
  }

  /// Stays within the limit. Numbers given out before are void then.
  func trim() {
    if table.count > limit { removeAll() }
  }

  func removeAll() {
    table.removeAll()
    entries.removeAll()
  }
}
