import Digests
import EventSourcing
import SwipestreamTesting

@testable import EventLog

/// A log of several small segments, and where everything is in them.
struct SealedLog {
  struct Place {
    let position: UInt64
    let bytes: Range<Int>
  }

  struct Part {
    let first: UInt64
    let bytes: [UInt8]
    /// Each batch with its records.
    let batches: [(bytes: Range<Int>, records: [Place])]

    var end: Int { batches.last?.bytes.upperBound ?? SegmentHeader.size }
    var records: [Place] { batches.flatMap(\.records) }
    var name: String { FileFormat.segmentName(first: first) }
  }

  let directory = TemporaryDirectory()
  let storage = FaultyStorage(isSyncing: false)
  let events: [RecordedEvent]
  let parts: [Part]
  let log: LogID

  /// - Parameter batches: how many are appended; a dozen fill a segment.
  init(batches: Int = 40, streams: Int = 5) throws {
    let store = try directory.open(storage: storage)
    for index in 0..<batches {
      var batch = AppendBatch(
        stream("s\(index % streams)"), [200 + index, 300, 30], command: command("c\(index)"))
      batch.add(stream("t\(index % 3)"), [index])
      store.appendAndWait(batch)
    }
    events = try store.everything()
    log = store.logID
    let firsts = store.core.catalog.all.map(\.first)
    store.close()
    var parts: [Part] = []
    for first in firsts {
      let bytes = try readFile(directory.segment(first))
      parts.append(Part(first: first, bytes: bytes, batches: Self.batches(of: bytes)))
    }
    self.parts = parts
  }

  var verifier: LogVerifier {
    var verifier = LogVerifier(directory: directory.path)
    verifier.pauseMilliseconds = 0
    return verifier
  }

  func verify(from position: UInt64 = 1) throws -> LogReport {
    guard let report = try verifier.verify(from: position) else { fatalError("ended") }
    return report
  }

  func write(_ bytes: [UInt8], to part: Part) throws {
    try writeFile(directory.segment(part.first), bytes)
  }

  func restore(_ part: Part) throws { try write(part.bytes, to: part) }

  /// Writes a part with some bytes changed.
  func change(_ part: Part, _ body: (inout [UInt8]) -> Void) throws {
    var bytes = part.bytes
    body(&bytes)
    try write(bytes, to: part)
  }

  private static func batches(
    of bytes: [UInt8]
  ) -> [(bytes: Range<Int>, records: [Place])] {
    bytes.withRawBytes { bytes in
      var batches: [(bytes: Range<Int>, records: [Place])] = []
      var offset = SegmentHeader.size
      while offset + BatchHeader.size <= bytes.count,
        let header = BatchHeader(bytes.part(offset..<offset + BatchHeader.size))
      {
        let end = offset + Int(header.length)
        var records: [Place] = []
        var start = offset + BatchHeader.size
        for position in header.positions {
          let length = Int(bytes.number(at: start, as: UInt32.self))
          records.append(Place(position: position, bytes: start..<start + length))
          start += length
        }
        batches.append((offset..<end, records))
        offset = end
      }
      return batches
    }
  }
}
