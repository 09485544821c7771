import Digests
import EventSourcing
import FastJSON
import SwipestreamTesting
import Testing

@testable import EventLog

/// A log of format version 1, checked in: five small segments, which every later version must read.
///
/// `Golden/v1` has the segments, and `events.ndjson` with a line for each event that is in them. With
/// `SWIPESTREAM_GOLDEN=write` files that are missing are made by ``GoldenLog``.
struct GoldenLogTests {
  private let golden = GoldenFiles("Golden/v1")
  private let segments = [1, 6, 9, 14, 17].map { FileFormat.segmentName(first: $0) }

  /// The golden log in a directory of its own.
  private func copy() throws -> TemporaryDirectory {
    let directory = TemporaryDirectory()
    try FileStorage().createDirectory(directory.path + "/log")
    for name in segments {
      try writeFile(directory.path + "/log/" + name, try #require(golden.bytes(name)))
    }
    return directory
  }

  private func line(_ event: RecordedEvent) -> [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    writer.key("position")
    writer.value(event.position.rawValue)
    writer.key("stream")
    writer.value(event.stream.description)
    writer.key("revision")
    writer.value(event.revision.rawValue)
    writer.key("type")
    writer.value(event.type.description)
    writer.key("schema")
    writer.value(Int(event.schema))
    writer.key("microseconds")
    writer.value(Int(event.time.microseconds))
    writer.key("data")
    writer.raw(event.data)
    writer.key("meta")
    writer.raw(event.meta)
    writer.endObject()
    return writer.bytes + [UInt8(ascii: "\n")]
  }

  @Test func isReadAsItWasWritten() throws {
    if golden.names.isEmpty {
      for (name, bytes) in try GoldenLog.make() { golden.write(name, bytes) }
    }
    let directory = try copy()
    let store = try directory.open(smallConfiguration(segmentBytes: 5 << 10))
    let events = try store.everything()
    golden.write("events.ndjson", events.flatMap(line))
    #expect(golden.bytes("events.ndjson") == events.flatMap(line))
    #expect(golden.names == segments + ["events.ndjson"])
    #expect(store.statistics.recoveryNote == nil)
    let all = ReadLimit(events: 1000)
    #expect(
      try store.read(before: store.head.advanced(by: 1), limit: all) == Array(events.reversed()))
    for stream in Set(events.map(\.stream)) {
      let own = events.filter { $0.stream == stream }
      #expect(try store.read(stream, after: .none, limit: all) == own)
      #expect(try store.revision(of: stream) == own.last?.revision)
    }
    for name in ["c1", "c2"] {
      let id = try #require(CommandID(name))
      let last = try #require(events.last { $0.meta.starts(with: #"{"command":"\#(name)""#.utf8) })
      let command = try store.command(id, in: last.stream)
      #expect(command?.position == last.position && command?.id == id)
    }
    store.close()
    for name in segments {
      #expect(try readFile(directory.path + "/log/" + name) == golden.bytes(name))
    }
  }

  /// What is put behind it is of the same log.
  @Test func isWrittenOn() throws {
    let directory = try copy()
    let before = try directory.open(smallConfiguration(segmentBytes: 5 << 10))
    let (log, head) = (before.logID, before.head)
    before.appendAndWait(AppendBatch(stream("a"), [10, 2000]))
    before.close()
    let after = try directory.open(smallConfiguration(segmentBytes: 5 << 10))
    #expect(after.logID == log && after.head == head.advanced(by: 2))
    #expect(try after.everything().count == Int(head.rawValue) + 2)
    after.close()
  }
}

/// Makes a golden log with the present writer. Its bytes differ each time: a log has a random id.
enum GoldenLog {
  /// - Returns: the segments by name.
  static func make() throws -> [(name: String, bytes: [UInt8])] {
    let directory = TemporaryDirectory()
    let store = try directory.open(smallConfiguration(segmentBytes: 5 << 10))
    for batch in try batches() { #expect(store.appendAndWait(batch).error == nil) }
    store.close()
    let names = try FileStorage().list(directory.path + "/log").sorted()
    return try names.map { name in
      var bytes = try readFile(directory.path + "/log/" + name)
      if name == FileFormat.segmentName(first: 1) { erase(in: &bytes, position: 2) }
      return (name, bytes)
    }
  }

  private static func batches() throws -> [AppendBatch] {
    let long = try StreamID("mailbox/" + String(repeating: "n", count: StreamID.nameLengthLimit))
    var first = AppendBatch(stream("a"), [10, 0], command: command("c1"), time: 1_000_000)
    first.add(long, [1, 2, 3], expecting: .noStream, command: command("c2"))
    var second = AppendBatch(time: Timestamp(microseconds: -1))
    second.begin(try StreamID("system/audit"), expecting: .any)
    for (type, schema, data) in [
      ("x", UInt16.max, "{}"), ("log.lost", 2, #"{"name":"née \u0000 漢字 😀"}"#),
      (String(repeating: "t", count: 300), 1, #"{"numbers":[9223372036854775807,-1,0.1,1e300]}"#),
    ] as [(String, UInt16, String)] {
      second.add(
        EventType(type), schema: schema, data: { $0.raw(data.utf8) }, meta: { $0.raw("{}".utf8) })
    }
    return [
      first, second, AppendBatch(stream("a"), [400, 1, 2, 3, 4], time: 1_700_000_000_000_000),
      AppendBatch(stream("b"), [300, 300, 5], time: 1_700_000_000_000_001),
      AppendBatch(stream("a"), [7], time: 253_402_300_799_999_999),
    ]
  }

  /// Puts other data of the same length in a record's place, as an erasure does.
  private static func erase(in bytes: inout [UInt8], position: UInt64) {
    bytes.withUnsafeMutableBytes { file in
      var offset = SegmentHeader.size + BatchHeader.size
      while UnsafeRawBufferPointer(file).number(at: offset + 16, as: UInt64.self) != position {
        offset += Int(UnsafeRawBufferPointer(file).number(at: offset, as: UInt32.self))
      }
      let bytes = UnsafeRawBufferPointer(file)
      let length = Int(bytes.number(at: offset, as: UInt32.self))
      guard let record = try? RecordFrame(bytes.part(offset..<offset + length)) else { return }
      let filler = [UInt8]("{}".utf8) + [UInt8](repeating: 0x20, count: record.data.count - 2)
      filler.withUnsafeBytes { file.put($0, at: offset + record.data.lowerBound) }
      file.put(RecordFrame.erasedFlag, at: offset + 14)
      file.put(CRC32C.checksum(bytes.part(offset + 12..<offset + length)), at: offset + 4)
    }
  }
}
