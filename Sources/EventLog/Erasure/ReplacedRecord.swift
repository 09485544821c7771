internal import EventSourcing

/// A record with new text, and where it goes: in the place of itself with the old text.
struct ReplacedRecord: Sendable, Equatable {
  /// The first position of the segment that it is in.
  let segment: UInt64
  let offset: Int
  /// All of the new record.
  let bytes: [UInt8]

  init(segment: UInt64, offset: Int, bytes: [UInt8]) {
    self.segment = segment
    self.offset = offset
    self.bytes = bytes
  }

  /// Puts other text into the record `old`. Its length, place in the log and `sealed` field stay;
  /// the checksum is made anew and the flag for erased text is set.
  ///
  /// - Returns: nil where the record has this text already.
  /// - Throws: `unfit` where the new text has another length.
  init?(
    segment: UInt64, offset: Int, old: [UInt8], frame: RecordFrame, redaction: Redaction
  ) throws(RedactionError) {
    guard frame.data.count == redaction.data.count, frame.meta.count == redaction.meta.count else {
      throw .unfit(redaction.position)
    }
    if old[frame.data].elementsEqual(redaction.data), old[frame.meta].elementsEqual(redaction.meta)
    {
      return nil
    }
    var new = old
    new.replaceSubrange(frame.data, with: redaction.data)
    new.replaceSubrange(frame.meta, with: redaction.meta)
    new[RecordFrame.flagsOffset] |= RecordFrame.erasedFlag
    new.withUnsafeMutableBytes { RecordFrame.reseal($0, isErased: true) }
    self.init(segment: segment, offset: offset, bytes: new)
  }

  /// Whether `place`, the bytes that the record is to go over, are the same record but for its
  /// text, or a mixture of both that an interrupted write left.
  func fits(over place: [UInt8]) -> Bool {
    guard place.count == bytes.count,
      let frame = try? bytes.withRawBytes({ (bytes) throws(FrameFault) in try RecordFrame(bytes) }),
      frame.length == bytes.count
    else { return false }
    let flags = RecordFrame.flagsOffset
    let kept = [0..<4, 8..<flags, flags + 1..<frame.type.upperBound]
    return kept.allSatisfy { place[$0] == bytes[$0] }
  }
}
