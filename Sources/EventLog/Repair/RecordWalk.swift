/// Goes through the records that can be read in a segment's file.
struct RecordWalk {
  let window: FileWindow

  typealias Body = (RecordFrame, UnsafeRawBufferPointer) throws(StorageError) -> Void

  /// - Parameter body: gets each record with its bytes, which are valid during the call only.
  func each(
    of pieces: [SegmentInspection.Piece], _ body: Body
  ) throws(StorageError) {
    for piece in pieces {
      switch piece {
      case .record(let range, _):
        let bytes = try window.bytes(range)
        if let record = try? RecordFrame(bytes, isLenient: true) { try body(record, bytes) }
      case .batches(let range, _): try each(in: range, body)
      }
    }
  }

  private func each(in batches: Range<Int>, _ body: Body) throws(StorageError) {
    var start = batches.lowerBound
    while start < batches.upperBound,
      let header = BatchHeader(try window.bytes(start..<start + BatchHeader.size))
    {
      let batch = try window.bytes(start..<start + Int(header.length))
      var offset = BatchHeader.size
      for _ in header.positions {
        let rest = batch.part(offset..<batch.count)
        guard let record = try? RecordFrame(rest, isLenient: true) else { break }
        try body(record, rest.part(0..<record.length))
        offset += record.length
      }
      start += Int(header.length)
    }
  }
}
