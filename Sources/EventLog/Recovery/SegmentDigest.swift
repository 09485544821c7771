internal import Digests

/// A sealed segment's digest, by a hop from one batch's header to its trailer and on.
struct SegmentDigest {
  let value: SHA256Digest
  /// Where the last batch ends that could be reached.
  let end: Int
  let nextPosition: UInt64

  init(_ window: FileWindow, header: SegmentHeader) throws(StorageError) {
    var hasher = header.chainHasher
    var end = SegmentHeader.size
    var next = header.first
    while end < window.size {
      let bytes = try window.bytes(end..<end + BatchHeader.size)
      guard let header = BatchHeader(bytes), header.first == next,
        end + Int(header.length) <= window.size
      else { break }
      hasher.update(bytes)
      let batchEnd = end + Int(header.length)
      hasher.update(try window.bytes(batchEnd - BatchTrailer.size..<batchEnd))
      end = batchEnd
      next += UInt64(header.count)
    }
    self.end = end
    nextPosition = next
    // What is behind the last batch belongs to no segment that was sealed.
    value = end == window.size ? hasher.digest() : .zero
  }
}
