internal import Digests
internal import EventSourcing

@testable import EventLog

extension FuzzTarget {
  /// The index file of a sealed segment, in a sound log.
  ///
  /// A repaired input is a true index as far as header, lengths and checksums go.
  static let index = FuzzTarget(name: "index", seeds: indexSeeds) { input in
    guard let input = ModalInput(input) else { return }
    let file = input.isRepaired ? Index.repaired(input.bytes) : input.bytes
    let log = Index.log(with: file)
    let events = try? log.forward()
    // One whose checksums are right may lie. Then it is an error, and never another event.
    if input.isRepaired && events == nil { return }
    require(events == Index.events, "an index changes no answer")
    for (stream, own) in Index.streams {
      let found = try? log.events(of: stream)
      require(found == own || input.isRepaired, "an index changes no stream")
      if let found { require(found.allSatisfy { $0.stream == stream }, "no other stream's events") }
    }
  }

  private static func indexSeeds() -> [[UInt8]] {
    [ModalInput.raw(Index.file), ModalInput.repaired(Index.file)]
  }
}

/// A sound log and its first segment's index.
enum Index {
  static let path = Log.root + "/index/" + FileFormat.indexName(first: 1)
  static let files = Log.make(batches: 9).contents
  static let file = files[path] ?? []

  private static let found: (segments: [Segment], head: UInt64) = {
    let place = LogDirectory(storage: MemoryStorage(files), root: Log.root)
    let recovery = Recovery(directory: place, segmentBytes: Log.segmentBytes)
    guard let found = try? recovery.find(created: 0) else { fatalError("a sound log is refused") }
    return (found.segments, found.tail.position)
  }()

  static func log(with index: [UInt8]) -> ColdLog {
    var files = files
    files[path] = index
    return ColdLog(found.segments, head: found.head, MemoryStorage(files))
  }

  static let events: [RecordedEvent] = {
    guard let events = try? log(with: file).forward() else { fatalError("the log is not read") }
    return events
  }()
  static let streams = Dictionary(grouping: events, by: \.stream)

  static func repaired(_ input: [UInt8]) -> [UInt8] {
    guard input.count >= IndexImage.headerSize else { return input }
    var input = input
    input.replaceSubrange(0..<104, with: file[0..<104])
    let sums = input.withRawBytes { bytes in
      IndexImage.Section.allCases.map { section -> UInt32 in
        let entry = IndexImage.tableEntry(section.rawValue)
        let offset = Int(clamping: bytes.number(at: entry, as: UInt64.self))
        let length = Int(clamping: bytes.number(at: entry + 8, as: UInt64.self))
        guard offset <= bytes.count, length <= bytes.count - offset else { return 0 }
        return CRC32C.checksum(bytes.part(offset..<offset + length))
      }
    }
    input.withUnsafeMutableBytes { out in
      for (index, sum) in sums.enumerated() { out.put(sum, at: IndexImage.tableEntry(index) + 16) }
      let end = IndexImage.headerSize - 4
      let covered = UnsafeRawBufferPointer(rebasing: out[..<end])
      out.put(CRC32C.checksum(covered), at: end)
    }
    return input
  }
}
