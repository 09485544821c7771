internal import EventSourcing
internal import FastJSON
internal import Wire

@testable import EventLog

extension FuzzTarget {
  /// A start on a log of one or two segments, and all ways to read what it finds.
  ///
  /// An input's second byte, if odd, splits the rest into two segments of which the second follows
  /// the first, as far as its header can be made to.
  static let recovery = FuzzTarget(name: "recovery", seeds: recoverySeeds) { input in
    guard let input = ModalInput(input), let files = LogInput.files(input) else { return }
    let storage = MemoryStorage(files)
    guard let log = ColdLog(storage) else {
      return LogInput.checkUntouched(files, after: storage.contents)
    }
    LogInput.read(log)
    require(ColdLog(storage)?.head == log.head, "what opened once opens again")
    // The commands to be remembered are read too, and may be in a damaged segment.
    guard input.isThorough, let store = try? Log.open(storage) else { return }
    Log.append(1, to: store)
    store.close()
    require(ColdLog(storage)?.head == log.head + 4, "what was appended is there")
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
        FileWindow(MemoryFile(first), size: first.count), header: before),
      digest.nextPosition > 1
    else { return nil }
    let time = input.withRawBytes { $0.number(at: 48, as: Int64.self) }
    let header = SegmentHeader(
      log: before.log, first: digest.nextPosition, previousFirst: 1, created: 0,
      previousTime: time, previousDigest: digest.value)
    var file = header.encoded() + input[88...]
    Repair.batches(&file, from: SegmentHeader.size)
    return (Log.path(header.first), file)
  }

  /// What is refused is not touched, but for a write that never finished and room that is reserved.
  static func checkUntouched(_ files: [String: [UInt8]], after: [String: [UInt8]]) {
    for (path, bytes) in files {
      let kept = after[path] ?? []
      let common = min(kept.count, bytes.count)
      require(
        kept[..<common] == bytes[..<common] && kept[common...].allSatisfy { $0 == 0 },
        "a refused log stays as it is")
    }
  }

  /// Reads a log by every way.
  static func read(_ log: ColdLog) {
    // An older segment may be damaged: then it is said, and nothing is read from it.
    guard let events = try? log.forward() else { return }
    require((try? log.backward()).map { $0.reversed() } == events, "backward it is the same")
    require(events.count == Int(log.head), "a log is read up to its head")
    var writer = JSONWriter()
    for (index, event) in events.enumerated() {
      require(event.position.rawValue == UInt64(index) + 1, "positions have no gaps")
      event.write(to: &writer)
    }
    for (stream, own) in Dictionary(grouping: events, by: \.stream) {
      let found = try? log.events(of: stream)
      // Revisions of several segments that do not fit together only a look at all of them shows.
      let isWhole = own.enumerated().allSatisfy { $1.revision.rawValue == UInt64($0) + 1 }
      require(found == own || !isWhole, "\(stream) by itself is the same")
      require(found?.allSatisfy { $0.stream == stream } ?? true, "no other stream's events")
    }
    for event in events.suffix(3) {
      guard let position = try? log.position(at: event.time.microseconds) else { continue }
      require(position >= event.position.rawValue, "a time covers every event up to it")
    }
  }
}
