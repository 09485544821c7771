internal import CCrypto

/// A SHA-256 digest (FIPS 180-4), 32 bytes.
public struct SHA256Digest: Sendable, Hashable, CustomStringConvertible {
  public let bytes: [UInt8]

  /// Thirty-two zero bytes: "nothing came before".
  public static let zero = SHA256Digest(bytes: [UInt8](repeating: 0, count: 32))

  /// - Precondition: `bytes` has 32 elements.
  public init(bytes: [UInt8]) {
    precondition(bytes.count == 32)
    self.bytes = bytes
  }

  /// The digest of `input`.
  public init(of input: UnsafeRawBufferPointer) {
    bytes = [UInt8](unsafeUninitializedCapacity: 32) { out, count in
      _ = SHA256(input.baseAddress, input.count, out.baseAddress)
      count = 32
    }
  }

  /// The digest that ``description`` gave as `text`; nil for any other text.
  public init?(_ text: String) {
    guard let bytes = Hexadecimal.bytes(text.utf8), bytes.count == 32 else { return nil }
    self.bytes = bytes
  }

  /// Lower-case hexadecimal, 64 characters.
  public var description: String { Hexadecimal.string(bytes) }
}

/// Incremental SHA-256 without an allocation per digest.
public struct SHA256Hasher: Sendable {
  private var context = SHA256_CTX()

  public init() { SHA256_Init(&context) }

  /// Adds bytes to what is hashed.
  public mutating func update(_ bytes: UnsafeRawBufferPointer) {
    SHA256_Update(&context, bytes.baseAddress, bytes.count)
  }

  /// A text's UTF-8 bytes.
  public mutating func update(_ text: String) {
    var text = text
    text.withUTF8 { update(UnsafeRawBufferPointer($0)) }
  }

  /// The digest's first 128 bits. The hasher is used up.
  fileprivate mutating func finishTruncated() -> (high: UInt64, low: UInt64) {
    var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
    withUnsafeMutableBytes(of: &words) { out in
      _ = SHA256_Final(out.baseAddress?.assumingMemoryBound(to: UInt8.self), &context)
    }
    return (UInt64(bigEndian: words.0), UInt64(bigEndian: words.1))
  }

  /// The digest of all that was hashed so far; the hasher can go on.
  public func digest() -> SHA256Digest {
    var copy = context
    return SHA256Digest(
      bytes: [UInt8](unsafeUninitializedCapacity: 32) { out, count in
        SHA256_Final(out.baseAddress, &copy)
        count = 32
      })
  }
}

/// The first 128 bits of a SHA-256 digest: an identity for text that others choose (a Message-ID,
/// a command's content), too long to find a second text for.
public struct Fingerprint: Sendable, Hashable, CustomStringConvertible {
  public let high: UInt64
  public let low: UInt64

  public init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// Half of it tells as much as a table needs.
  public func hash(into hasher: inout Hasher) { hasher.combine(high) }

  /// The fingerprint of `bytes`.
  public init(of bytes: UnsafeRawBufferPointer) {
    if bytes.count <= ShortMessage.limit {
      var message = ShortMessage()
      message.append(bytes)
      self = message.fingerprint()
    } else {
      self.init { $0.update(bytes) }
    }
  }

  /// The fingerprint of all that `feed` gives the hasher.
  ///
  /// libcrypto's one-shot call looks its algorithm up each time, which costs more than hashing a
  /// command; the three calls do not.
  public init(_ feed: (inout SHA256Hasher) -> Void) {
    var hasher = SHA256Hasher()
    feed(&hasher)
    (high, low) = hasher.finishTruncated()
  }

  /// The fingerprint of a text's UTF-8 bytes.
  public init(of text: String) {
    var text = text
    self = text.withUTF8 { Fingerprint(of: UnsafeRawBufferPointer($0)) }
  }

  /// Lower-case hexadecimal, 32 characters.
  public var description: String { Hexadecimal.string(high) + Hexadecimal.string(low) }
}

/// Lower-case hexadecimal text.
public enum Hexadecimal {
  /// Two digits a byte.
  public static func string(_ bytes: some Sequence<UInt8>) -> String {
    var text: [UInt8] = []
    for byte in bytes {
      text.append(digit(byte >> 4))
      text.append(digit(byte & 15))
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Sixteen digits, most significant first.
  public static func string(_ value: UInt64) -> String {
    string((0..<8).map { UInt8(truncatingIfNeeded: value >> (56 - 8 * UInt64($0))) })
  }

  /// Sixteen digits as they stand in memory.
  public static func digits(_ value: UInt64) -> (UInt64, UInt64) {
    (digits(half: value >> 32), digits(half: value & 0xFFFF_FFFF))
  }

  /// Eight digits: a nibble for each byte, turned into a digit all at once.
  private static func digits(half: UInt64) -> UInt64 {
    var nibbles = half
    nibbles = (nibbles | nibbles << 16) & 0x0000_FFFF_0000_FFFF
    nibbles = (nibbles | nibbles << 8) & 0x00FF_00FF_00FF_00FF
    nibbles = (nibbles | nibbles << 4) & 0x0F0F_0F0F_0F0F_0F0F
    // Where a nibble is above 9, adding 6 carries into the byte's upper half.
    let letters = (nibbles &+ 0x0606_0606_0606_0606) >> 4 & 0x0101_0101_0101_0101
    return (nibbles &+ 0x3030_3030_3030_3030 &+ letters &* 39).bigEndian
  }

  /// The value of up to sixteen digits, nil where `text` is anything else.
  public static func value(_ text: some Collection<UInt8>) -> UInt64? {
    guard (1...16).contains(text.count) else { return nil }
    var value: UInt64 = 0
    for byte in text {
      guard let digit = digitValue(byte) else { return nil }
      value = value << 4 | UInt64(digit)
    }
    return value
  }

  /// The bytes of a text with two digits each; nil where it is anything else.
  public static func bytes(_ text: some Collection<UInt8>) -> [UInt8]? {
    guard text.count % 2 == 0 else { return nil }
    var bytes: [UInt8] = []
    var high: UInt8?
    for digit in text {
      guard let value = digitValue(digit) else { return nil }
      if let upper = high { bytes.append(upper << 4 | value) }
      high = high == nil ? value : nil
    }
    return bytes
  }

  /// The digit of a number from 0 to 15.
  @inline(__always)
  public static func digit(_ nibble: UInt8) -> UInt8 { nibble < 10 ? 48 + nibble : 87 + nibble }

  private static func digitValue(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 48...57: byte - 48
    case 97...102: byte - 87
    case 65...70: byte - 55
    default: nil
    }
  }
}
