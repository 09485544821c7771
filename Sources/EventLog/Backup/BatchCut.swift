/// The first records of a batch as a batch of their own.
enum BatchCut {
  /// - Parameters:
  ///   - batch: a whole batch that was checked.
  ///   - count: how many records stay, at least one.
  static func front(
    of batch: UnsafeRawBufferPointer, header: BatchHeader, count: Int
  ) -> [UInt8] {
    var end = BatchHeader.size
    var chain: UInt32 = 0
    for _ in 0..<count {
      chain = RecordFrame.chain(chain, recordAt: end, in: batch)
      end += Int(batch.number(at: end, as: UInt32.self))
    }
    let length = end + BatchTrailer.size
    return [UInt8](zeros: length) { out in
      out.put(batch.part(0..<end), at: 0)
      BatchHeader(
        length: UInt32(length), first: header.first, durable: header.durable, count: UInt32(count)
      ).write(to: out)
      BatchTrailer.write(chain: chain, length: UInt32(length), to: out)
    }
  }
}
