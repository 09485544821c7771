internal import CChecksum

/// CRC-32C (Castagnoli), the checksum of the log's frames (RFC 3720, appendix B.4).
public enum CRC32C {
  /// The checksum of `bytes`, continuing from `seed` (0 to begin).
  @inline(__always)
  public static func checksum(_ bytes: UnsafeRawBufferPointer, seed: UInt32 = 0) -> UInt32 {
    swipestream_crc32c(seed, bytes.baseAddress, bytes.count)
  }

  /// The same value without the processor's instruction, for tests.
  public static func portableChecksum(_ bytes: UnsafeRawBufferPointer, seed: UInt32 = 0) -> UInt32 {
    swipestream_crc32c_portable(seed, bytes.baseAddress, bytes.count)
  }
}
