internal import CCrypto

/// A message that fits into one or two blocks of SHA-256, put together and hashed on the stack.
///
/// Commands' ids and contents are such messages, two for each command; the hasher's own buffering
/// would cost more than the hashing.
public struct ShortMessage: ~Copyable {
  /// In bytes: two blocks without the padding (FIPS 180-4, section 5.1.1).
  public static let limit = 119
  private static let blockSize = 64

  private typealias Words = (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64)
  private var blocks: (Words, Words) = ((0, 0, 0, 0, 0, 0, 0, 0), (0, 0, 0, 0, 0, 0, 0, 0))
  private var count = 0

  public init() {}

  /// - Precondition: the message does not become longer than ``limit``.
  public mutating func append(_ bytes: UnsafeRawBufferPointer) {
    precondition(bytes.count <= Self.limit - count)
    let offset = count
    withUnsafeMutableBytes(of: &blocks) { out in
      UnsafeMutableRawBufferPointer(rebasing: out[offset...]).copyMemory(from: bytes)
    }
    count += bytes.count
  }

  /// The message's fingerprint; the message is used up.
  public consuming func fingerprint() -> Fingerprint {
    let length = count
    let blockCount = length + 9 <= Self.blockSize ? 1 : 2
    var context = SHA256_CTX()
    SHA256_Init(&context)
    withUnsafeMutableBytes(of: &blocks) { out in
      out[length] = 0x80
      out.storeBytes(
        of: UInt64(length * 8).bigEndian, toByteOffset: blockCount * Self.blockSize - 8,
        as: UInt64.self)
      guard let base = out.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
      for block in 0..<blockCount { SHA256_Transform(&context, base + block * Self.blockSize) }
    }
    return Fingerprint(
      high: UInt64(context.h.0) << 32 | UInt64(context.h.1),
      low: UInt64(context.h.2) << 32 | UInt64(context.h.3))
  }
}
