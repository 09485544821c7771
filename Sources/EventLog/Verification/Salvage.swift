/// Finds what can still be read behind a damaged place.
struct Salvage {
  struct Record {
    let bytes: Range<Int>
    let position: UInt64
  }

  private static let pieceSize = 1 << 16

  let window: FileWindow

  /// The first batch header that fits, at `offset` or later. It may begin at any byte; the text of
  /// events cannot pass for one: it holds no zero byte.
  func batch(
    from offset: Int, where fits: (BatchHeader) -> Bool
  ) throws(StorageError) -> (offset: Int, header: BatchHeader)? {
    var offset = offset
    while offset + BatchHeader.size <= window.size {
      let piece = try window.bytes(offset..<offset + Self.pieceSize)
      if piece.count < BatchHeader.size { break }
      let last = piece.count - BatchHeader.size
      for index in 0...last where piece[index] == BatchHeader.firstMagicByte {
        let header = BatchHeader(piece.part(index..<index + BatchHeader.size))
        if let header, fits(header) { return (offset + index, header) }
      }
      offset += last + 1
    }
    return nil
  }

  /// The records in a part of the file that have some of `positions`, in order. Of a record's two
  /// checksums one must be right.
  func records(
    in bytes: Range<Int>, positions: ClosedRange<UInt64>
  ) throws(StorageError) -> [Record] {
    var found: [Record] = []
    var offset = bytes.lowerBound
    var next = positions.lowerBound
    while next <= positions.upperBound,
      let candidate = try candidate(in: offset..<bytes.upperBound, next...positions.upperBound)
    {
      let record = try window.bytes(candidate.bytes)
      if (try? RecordFrame(record, isLenient: true)) != nil {
        found.append(candidate)
        next = candidate.position + 1
        offset = candidate.bytes.upperBound
      } else {
        offset = candidate.bytes.lowerBound + 1
      }
    }
    return found
  }

  /// The next place where length and position could be a record's.
  private func candidate(
    in bytes: Range<Int>, _ positions: ClosedRange<UInt64>
  ) throws(StorageError) -> Record? {
    var offset = bytes.lowerBound
    while offset + RecordFrame.size <= bytes.upperBound {
      let piece = try window.bytes(
        offset..<min(offset + Self.pieceSize, bytes.upperBound))
      if piece.count < RecordFrame.size { return nil }
      let last = piece.count - RecordFrame.size
      for index in 0...last {
        let position: UInt64 = piece.number(at: index + RecordFrame.positionOffset)
        guard positions.contains(position) else { continue }
        let start = offset + index
        let length = Int(piece.number(at: index, as: UInt32.self))
        if length >= RecordFrame.size, start + length <= bytes.upperBound {
          return Record(bytes: start..<start + length, position: position)
        }
      }
      offset += last + 1
    }
    return nil
  }
}
