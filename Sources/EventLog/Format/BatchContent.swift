extension BatchHeader {
  /// Checks a whole batch: every record, their order, and the trailer.
  ///
  /// - Parameters:
  ///   - batch: all of the batch's bytes, of which this is the header.
  ///   - use: gets each record and its offset in the batch, before the trailer is checked.
  @inline(__always)
  func check(
    _ batch: UnsafeRawBufferPointer,
    _ use: (RecordFrame, Int) throws(FrameFault) -> Void = { _, _ in }
  ) throws(FrameFault) {
    let recordsEnd = batch.count - BatchTrailer.size
    var chain: UInt32 = 0
    var offset = Self.size
    for position in positions {
      let record = try RecordFrame(batch.part(offset..<recordsEnd))
      guard record.position == position else { throw FrameFault("a record is out of order") }
      chain = RecordFrame.chain(chain, recordAt: offset, in: batch)
      try use(record, offset)
      offset += record.length
    }
    guard offset == recordsEnd, BatchTrailer.check(batch, chain: chain) else {
      throw FrameFault("a batch's trailer does not match its records")
    }
  }
}
