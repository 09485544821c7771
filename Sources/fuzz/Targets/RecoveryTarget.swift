internal import EventSourcing

@testable import EventLog

extension FuzzTarget {
  /// A start on a log of one or two segments, and all ways to read what it finds.
  ///
  /// An input's second byte, if odd, splits the rest into two segments of which the second follows
  /// the first, as far as its header can be made to.
  static let recovery = FuzzTarget(name: "recovery", seeds: recoverySeeds) { input in
    guard let input = ModalInput(input), let files = LogInput.files(input) else { return }
    let storage = MemoryStorage(files)
    guard let head = LogInput.open(storage, appending: nil) else {
      // What is refused is not touched, but for a write that never finished.
      let after = storage.contents
      for (path, bytes) in files {
        require(bytes.starts(with: after[path] ?? []), "a refused log stays as it is")
      }
      return
    }
    require(LogInput.open(storage, appending: 1) == head, "what opened once opens again")
    require(LogInput.open(storage, appending: nil) == head + 4, "what was appended is there")
  }

  private static func recoverySeeds() -> [[UInt8]] {
    [0, 1, 2, 6].flatMap { batches -> [[UInt8]] in
      let files = Log.make(batches: batches).contents
        .filter { $0.key.hasPrefix(Log.directory) }.sorted { $0.key < $1.key }.map(\.value)
      let newest = files.last.map { [0] + Segments.compact($0) } ?? []
      guard files.count > 1 else { return [[1] + newest, [0, 0] + (files.last ?? [])] }
      return [[1] + newest, [1] + LogInput.join(files[0], files[1])]
    }
  }
}

/// Whole logs as inputs.
enum LogInput {
  static func join(_ first: [UInt8], _ second: [UInt8]) -> [UInt8] {
    let first = Segments.compact(first)
    let length = UInt16(clamping: first.count)
    return [1, UInt8(length & 0xFF), UInt8(length >> 8)] + first + Segments.compact(second)
  }

  /// The segments by their paths.
  static func files(_ input: ModalInput) -> [String: [UInt8]]? {
    guard let parts = input.bytes.first else { return nil }
    let bytes = Array(input.bytes.dropFirst())
    guard input.isRepaired else { return [Log.path(1): bytes] }
    guard parts & 1 == 1, bytes.count > 2 else {
      return Segments.repaired(asFirst(bytes)).map { [Log.path(1): $0] }
    }
    let split = min(2 + Int(bytes[0]) + Int(bytes[1]) << 8, bytes.count)
    guard let first = Segments.repaired(asFirst(Array(bytes[2..<split]))),
      let second = follower(of: first, Array(bytes[split...]))
    else { return nil }
    return [Log.path(1): first, second.path: second.bytes]
  }

  /// Compact bytes with the header of a log's first segment: position 1, with nothing before it.
  private static func asFirst(_ input: [UInt8]) -> [UInt8] {
    guard input.count >= 88 else { return input }
    var input = input
    input.withUnsafeMutableBytes { fields in
      fields.put(UInt64(1), at: 24)
      fields.put(UInt64(0), at: 32)
    }
    return input
  }

  private static func follower(
    of first: [UInt8], _ input: [UInt8]
  ) -> (path: String, bytes: [UInt8])? {
    guard input.count >= 88,
      let before = try? first.withRawBytes({ bytes throws(FrameFault) in try SegmentHeader(bytes) }
      ),
      let digest = try? SegmentDigest(
        FileWindow(MemoryFile(first), size: first.count), header: before)
    else { return nil }
    let time = input.withRawBytes { $0.number(at: 48, as: Int64.self) }
    let header = SegmentHeader(
      log: before.log, first: digest.nextPosition, previousFirst: 1, created: 0,
      previousTime: time, previousDigest: digest.value)
    var file = header.encoded() + input[88...]
    Repair.batches(&file, from: SegmentHeader.size)
    return (Log.path(header.first), file)
  }

  /// Opens a log, reads it by every way, and closes it.
  ///
  /// - Returns: its head before anything is appended; nil where it is refused.
  static func open(_ storage: MemoryStorage, appending number: Int?) -> UInt64? {
    guard let store = try? Log.open(storage) else { return nil }
    defer { store.close() }
    let head = store.head
    readAll(store)
    if let number, store.statistics.readOnlyReason == nil { Log.append(number, to: store) }
    return head.rawValue
  }

  private static func readAll(_ store: SegmentedEventStore) {
    let limit = ReadLimit(events: 10_000)
    // An older segment may be damaged: then it is said, and nothing is read from it.
    guard let events = try? store.read(after: .start, limit: limit) else { return }
    let backward = try? store.read(before: store.head.advanced(by: 1), limit: limit)
    require(backward.map { $0.reversed() } == events, "both directions give the same")
    require(events.count == Int(store.head.rawValue), "a log is read up to its head")
    for (index, event) in events.enumerated() {
      require(event.position.rawValue == UInt64(index) + 1, "positions have no gaps")
    }
    for (stream, own) in Dictionary(grouping: events, by: \.stream) {
      require((try? store.read(stream, after: .none, limit: limit)) == own, "by stream the same")
      require((try? store.revision(of: stream)) == own.last?.revision, "the last one is known")
    }
    for event in events.suffix(3) {
      guard let position = try? store.position(at: event.time) else { continue }
      require(position >= event.position, "a time covers every event up to it")
    }
  }
}
