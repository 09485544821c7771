internal import EventSourcing

/// Numbers streams from 0 on, in the order in which they come, and finds a stream's number by its
/// name. Each look-up hashes the name once; who has the hash need not have it made again.
struct StreamTable {
  /// A stream's name hashed; of this process only.
  struct Hash {
    fileprivate let value: UInt64

    @inline(__always)
    init(of stream: StreamID) {
      var name = stream.description
      value = name.withUTF8 { StreamTable.hash(UnsafeRawBufferPointer($0)) }
    }
  }

  private struct Entry {
    let stream: StreamID
    let hash: Hash
  }

  private var entries: [Entry] = []
  /// By hash: half of the hash, and the number plus 1; 0 where nothing is. At most half are taken,
  /// and whoever finds his place taken has the next one.
  private var places = [UInt64](repeating: 0, count: 64)

  var count: Int { entries.count }

  subscript(number: Int) -> StreamID { entries[number].stream }
  func hash(of number: Int) -> Hash { entries[number].hash }

  /// The stream's number; nil where it has none.
  @inline(__always)
  func find(_ stream: StreamID, _ hash: Hash) -> Int? {
    let mask = places.count - 1
    var place = Int(truncatingIfNeeded: hash.value) & mask
    while places[place] != 0 {
      let known = places[place]
      let number = Int(known & 0xFFFF_FFFF) - 1
      if known >> 32 == hash.value >> 32, entries[number].stream == stream { return number }
      place = (place + 1) & mask
    }
    return nil
  }

  /// The stream's number, a new one where it had none.
  @inline(__always)
  mutating func number(of stream: StreamID, _ hash: Hash) -> Int {
    if let number = find(stream, hash) { return number }
    return add(Entry(stream: stream, hash: hash))
  }

  mutating func removeAll() { self = StreamTable() }

  private mutating func add(_ entry: Entry) -> Int {
    entries.append(entry)
    if entries.count * 2 > places.count { grow() } else { place(entries.count - 1) }
    return entries.count - 1
  }

  private mutating func grow() {
    places = [UInt64](repeating: 0, count: places.count * 2)
    for number in entries.indices { place(number) }
  }

  private mutating func place(_ number: Int) {
    let hash = entries[number].hash.value
    let mask = places.count - 1
    var place = Int(truncatingIfNeeded: hash) & mask
    while places[place] != 0 { place = (place + 1) & mask }
    places[place] = hash & ~0xFFFF_FFFF | UInt64(number + 1)
  }

  // MARK: Hashing

  /// Not to be guessed: clients choose the names, and could choose them to fall on one place.
  private static let secret = (
    UInt64.random(in: .min ... .max), UInt64.random(in: .min ... .max) | 1
  )

  @inline(__always)
  private static func hash(_ name: UnsafeRawBufferPointer) -> UInt64 {
    let (start, factor) = secret
    var value = start ^ UInt64(name.count)
    var offset = 0
    while offset + 8 <= name.count {
      value = product(value ^ name.number(at: offset), factor)
      offset += 8
    }
    var rest: UInt64 = 0
    while offset < name.count {
      rest = rest << 8 | UInt64(name[offset])
      offset += 1
    }
    return product(value ^ rest, factor)
  }

  /// Both halves of the product, so that every bit counts.
  @inline(__always)
  private static func product(_ value: UInt64, _ factor: UInt64) -> UInt64 {
    let (high, low) = value.multipliedFullWidth(by: factor)
    return high ^ low
  }
}
