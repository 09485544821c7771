internal import Digests
internal import EventSourcing

@testable import EventLog

extension FuzzTarget {
  /// The index file of a sealed segment, in a sound log.
  ///
  /// A repaired input is a true index as far as header, lengths and checksums go.
  static let index = FuzzTarget(name: "index", seeds: indexSeeds) { input in
    guard let input = ModalInput(input) else { return }
    var files = Index.log
    files[Index.path] = input.isRepaired ? Index.repaired(input.bytes) : input.bytes
    guard let store = try? Log.open(MemoryStorage(files)) else {
      return require(false, "an index never stops a start")
    }
    defer { store.close() }
    let limit = ReadLimit(events: 1000)
    let events = try? store.read(after: .start, limit: limit)
    // One whose checksums are right may lie. Then it is an error, and never another event.
    if input.isRepaired && events == nil { return }
    require(events == Index.events, "an index changes no answer")
    for (stream, own) in Dictionary(grouping: Index.events, by: \.stream) {
      let found = try? store.read(stream, after: .none, limit: limit)
      require(found == own || input.isRepaired, "an index changes no stream")
      if let found { require(found.allSatisfy { $0.stream == stream }, "no other stream's events") }
      _ = try? store.revision(of: stream)
      if let id = CommandID("c0") { _ = try? store.command(id, in: stream) }
    }
  }

  private static func indexSeeds() -> [[UInt8]] {
    [ModalInput.raw(Index.file), ModalInput.repaired(Index.file)]
  }
}

/// A sound log and its first segment's index.
enum Index {
  static let path = Log.root + "/index/" + FileFormat.indexName(first: 1)
  static let log = Log.make(batches: 9).contents
  static let file = log[path] ?? []

  static let events: [RecordedEvent] = {
    guard let store = try? Log.open(MemoryStorage(log)),
      let events = try? store.read(after: .start, limit: ReadLimit(events: 1000))
    else { fatalError("the log for the index is not read") }
    store.close()
    return events
  }()

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
