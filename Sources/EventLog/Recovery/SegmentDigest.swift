internal import Digests

/// A sealed segment's digest, which is of its batches' headers and trailers.
///
/// The file is read in pieces of 1 MiB, and only what is left of a larger batch is passed over: the
/// segment is read nearly as a whole, but its records are not looked at.
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
