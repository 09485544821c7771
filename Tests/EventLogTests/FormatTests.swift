import Digests
import EventSourcing
import Testing

@testable import EventLog

@Suite("File format")
struct FormatTests {
  @Test("The sizes are golden")
  func sizes() {
    #expect(SegmentHeader.size == 4096)
    #expect(BatchHeader.size == 32)
    #expect(BatchTrailer.size == 12)
    #expect(RecordFrame.size == 60)
    #expect(IndexImage.headerSize == 256)
    #expect(FileFormat.segmentName(first: 42) == "00000000000000000042.seg")
    #expect(FileFormat.segmentName(first: .max) == "18446744073709551615.seg")
  }

  @Test("A batch with one record has golden bytes")
  func goldenBatch() {
    var batch = DiskBatch()
    batch.add(
      RecordFrame.Fields(position: 7, revision: 3, time: 1_000_000, command: 0x1122, schema: 2),
      stream: bytes("list/a"), type: bytes("item.added"), data: bytes(#"{"item":1}"#),
      meta: bytes("{}"))
    let stored = batch.finish(durable: 6)
    // The checksums were worked out by another program.
    let golden =
      // Batch header.
      "42544348" + "84000000" + "0700000000000000" + "0600000000000000" + "01000000" + "bef64b27"
      // Record.
      + "58000000" + "7377a724" + "7377a724" + "0200" + "00" + "06" + "0700000000000000"
      + "0300000000000000" + "40420f0000000000" + "2211000000000000" + "0a000000" + "02000000"
      + "0a00" + "0000" + Hexadecimal.string("list/aitem.added{\"item\":1}{}".utf8)
      // Trailer.
      + "1bd77616" + "84000000" + "444f4e45"
    #expect(Hexadecimal.string(stored) == golden)
  }

  @Test("What a header says is read back; any flipped bit is noticed")
  func segmentHeader() throws {
    let header = SegmentHeader(
      log: .random(), first: 9, previousFirst: 4, created: 5, previousTime: -6,
      previousDigest: SHA256Digest(of: bytes("x")))
    var stored = header.encoded()
    #expect(try stored.withRawBytes { (b) throws(FrameFault) in try SegmentHeader(b) } == header)
    for index in stored.indices {
      stored[index] ^= 1 << UInt8(index % 8)
      #expect(throws: FrameFault.self) {
        try stored.withRawBytes { (b) throws(FrameFault) in try SegmentHeader(b) }
      }
      stored[index] ^= 1 << UInt8(index % 8)
    }
  }

  /// Static text only.
  private func bytes(_ text: StaticString) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
  }
}
