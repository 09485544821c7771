@testable import EventLog

extension FuzzTarget {
  /// One record frame.
  static let record = FuzzTarget(name: "record", seeds: recordSeeds) { input in
    guard var input = ModalInput(input) else { return }
    if input.isRepaired, input.bytes.count >= RecordFrame.size {
      input.bytes.withUnsafeMutableBytes { Repair.record($0) }
    }
    input.bytes.withRawBytes { bytes in
      guard let record = try? RecordFrame(bytes) else { return }
      require(record.length <= bytes.count, "a record ends within its bytes")
      let parts = [record.stream, record.type, record.data, record.meta]
      require(
        parts.reduce(RecordFrame.size) { $0 + $1.count } == record.length, "the parts fill it")
      // Bits that have no meaning yet are kept by nobody.
      guard bytes[14] == 0, bytes[58] == 0, bytes[59] == 0 else { return }
      require(
        Array(bytes[..<record.length]) == record.written(from: bytes), "it is written as it is read"
      )
    }
  }

  private static func recordSeeds() -> [[UInt8]] {
    let texts: [(stream: String, type: String, data: String, meta: String)] = [
      ("list/a", "item.added", #"{"item":1}"#, "{}"), ("", "", "", ""),
      ("mailbox/" + String(repeating: "n", count: 200), "t", "{}", #"{"command":"1"}"#),
    ]
    let records = texts.map { texts in
      Log.record(
        RecordFrame.Fields(position: 1, revision: 1, time: 1, command: 1, schema: 1),
        texts.stream, texts.type, texts.data, texts.meta)
    }
    return records.map(ModalInput.raw) + records.map(ModalInput.repaired)
  }
}

extension RecordFrame {
  /// The record as ``write(_:stream:type:data:meta:to:)`` writes what was read.
  func written(from bytes: UnsafeRawBufferPointer) -> [UInt8] {
    [UInt8](zeros: length) { out in
      _ = RecordFrame.write(
        Fields(
          position: position, revision: revision, time: time, command: command, schema: schema),
        stream: bytes.part(stream), type: bytes.part(type), data: bytes.part(data),
        meta: bytes.part(meta), to: out)
    }
  }
}
