import ActorRuntime
import Digests
import EventSourcing
import Glibc
import Testing

@testable import EventLog

/// Files that no log ever wrote, though their checksums are right.
@Suite("Files made to do harm")
struct HostileFileTests {
  private let directory = TemporaryDirectory()

  private func header(first: UInt64 = 1, previous: UInt64 = 0) -> [UInt8] {
    SegmentHeader(
      log: .random(), first: first, previousFirst: previous, created: 0, previousTime: .min,
      previousDigest: .zero
    ).encoded()
  }

  private func expectRefused() throws {
    do {
      try directory.open().close()
      Issue.record("opened")
    } catch EventLogError.damaged {
    }
  }

  /// A batch of one record, with its checksums made right after `change` of its header.
  private func batch(
    position: UInt64 = 1, revision: UInt64 = 1, durable: UInt64 = 0,
    _ change: (inout [UInt8]) -> Void = { _ in }
  ) -> [UInt8] {
    var batch = DiskBatch()
    let fields = RecordFrame.Fields(
      position: position, revision: revision, time: 9, command: 0, schema: 1)
    Array("{}".utf8).withUnsafeBytes { text in
      Array("list/a".utf8).withUnsafeBytes { name in
        batch.add(fields, stream: name, type: name, data: text, meta: text)
      }
    }
    var bytes = Array(batch.finish(durable: durable))
    change(&bytes)
    let checksum = bytes.withRawBytes { CRC32C.checksum($0.part(0..<28)) }
    withUnsafeBytes(of: checksum.littleEndian) { bytes.replaceSubrange(28..<32, with: $0) }
    return bytes
  }

  @Test("Numbers at the end of their range are damage, not a trap")
  func greatNumbers() throws {
    try directory.open().close()
    let greatest = UInt64.max
    let bytes = withUnsafeBytes(of: greatest.littleEndian) { Array($0) }
    let batches: [[UInt8]] = [
      batch(position: greatest), batch(revision: greatest), batch(durable: greatest),
      batch { $0.replaceSubrange(8..<16, with: bytes) },
      batch { $0.replaceSubrange(16..<24, with: bytes) },
      batch { $0.replaceSubrange(24..<28, with: bytes[..<4]) },
      batch { $0.replaceSubrange(4..<8, with: bytes[..<4]) },
    ]
    for batch in batches {
      // The trailer at the end is not zero, so that it is no unfinished write either.
      try writeFile(directory.segment(1), header() + batch + [UInt8](repeating: 1, count: 600))
      try FileStorage().remove(directory.path + "/head")
      try expectRefused()
      try writeFile(directory.path + "/head", [])
    }
  }

  @Test("A segment with a first position out of range is damage, not a trap")
  func greatFirst() throws {
    try directory.open().close()
    try writeFile(directory.segment(.max), header(first: .max, previous: 1))
    try expectRefused()
    try FileStorage().remove(directory.segment(.max))
    try writeFile(directory.segment(1), header(first: 1, previous: .max))
    try expectRefused()
  }

  @Test("A pipe or a directory under a segment's name is an error, and keeps nobody waiting")
  func noFile() throws {
    try directory.open().close()
    let path = directory.segment(2)
    let words = "cannot open \(FileFormat.segmentName(first: 2)): it is no regular file"
    #expect(mkfifo(path, 0o600) == 0)
    #expect(throws: EventLogError.storage(StorageError(.open, path: path, code: -1))) {
      try directory.open()
    }
    #expect(StorageError(.open, path: path, code: StorageError.notRegular).description == words)
    try FileStorage().remove(path)
    #expect(mkdir(path, 0o700) == 0)
    #expect(throws: EventLogError.storage(StorageError(.open, path: path, code: -1))) {
      try directory.open()
    }
  }
}
