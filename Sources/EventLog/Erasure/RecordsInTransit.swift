internal import ActorRuntime
internal import Synchronization

/// The records that are just being written over others: whoever reads a segment meanwhile gets them
/// whole, whatever of them has reached the file.
final class RecordsInTransit: Sendable {
  /// By segment.
  private let records = Lock<[UInt64: [ReplacedRecord]]>([:])
  /// Even while nothing is in transit; new whenever that changes.
  private let generation = Atomic<UInt64>(0)

  /// From here on readers get the new records; only then may the files be written.
  func begin(_ new: [ReplacedRecord]) {
    records.withLock { $0 = Dictionary(grouping: new, by: \.segment) }
    generation.wrappingAdd(1, ordering: .sequentiallyConsistent)
  }

  /// The files have them all.
  func end() {
    // In this order: who finds none left to lay over what was read before notices the change.
    generation.wrappingAdd(1, ordering: .sequentiallyConsistent)
    records.withLock { $0 = [:] }
  }

  /// Reads by `body`, again where what is in transit changed meanwhile, and lays the records in
  /// transit over what was read.
  func read(
    _ segment: UInt64, into buffer: UnsafeMutableRawBufferPointer, at offset: Int,
    _ body: () throws(StorageError) -> Int
  ) throws(StorageError) -> Int {
    while true {
      let before = generation.load(ordering: .sequentiallyConsistent)
      let count = try body()
      if before % 2 == 1 { overlay(segment, buffer, count: count, at: offset) }
      if generation.load(ordering: .sequentiallyConsistent) == before { return count }
    }
  }

  private func overlay(
    _ segment: UInt64, _ buffer: UnsafeMutableRawBufferPointer, count: Int, at offset: Int
  ) {
    for record in records.withLock({ $0[segment] ?? [] }) {
      let from = max(record.offset, offset)
      let to = min(record.offset + record.bytes.count, offset + count)
      guard from < to else { continue }
      record.bytes.withRawBytes { bytes in
        buffer.put(bytes.part(from - record.offset..<to - record.offset), at: from - offset)
      }
    }
  }
}

/// A segment's file for readers, which shows each record old or new, never half of both.
final class SteadyFile: LogFile {
  private let base: any LogFile
  private let segment: UInt64
  private let transit: RecordsInTransit

  init(_ base: any LogFile, segment: UInt64, transit: RecordsInTransit) {
    self.base = base
    self.segment = segment
    self.transit = transit
  }

  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(StorageError) -> Int
  {
    try transit.read(segment, into: buffer, at: offset) { () throws(StorageError) in
      try base.read(into: buffer, at: offset)
    }
  }

  func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(StorageError) {
    try base.write(bytes, at: offset)
  }

  func syncData() throws(StorageError) { try base.syncData() }
  func sync() throws(StorageError) { try base.sync() }
  func truncate(to length: Int) throws(StorageError) { try base.truncate(to: length) }
  func preallocate(to length: Int) throws(StorageError) { try base.preallocate(to: length) }
  func size() throws(StorageError) -> Int { try base.size() }
  func nextData(from offset: Int) throws(StorageError) -> Int { try base.nextData(from: offset) }
}
