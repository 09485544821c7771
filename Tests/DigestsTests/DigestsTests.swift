import Digests
import Testing

struct DigestsTests {
  private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

  /// The check value of the Castagnoli polynomial, and the zeros of RFC 3720 appendix B.4.
  @Test func crc32cGivesThePublishedValues() {
    let check = bytes("123456789").withUnsafeBytes { CRC32C.checksum($0) }
    #expect(check == 0xE306_9283)
    let zeros = [UInt8](repeating: 0, count: 32).withUnsafeBytes { CRC32C.checksum($0) }
    #expect(zeros == 0x8A91_36AA)
  }

  @Test func crc32cByInstructionEqualsTheTable() {
    let input = (0..<9000).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 / 3) }
    // All short ones, and long ones around where it is done in other parts.
    for length in Array(0..<800) + Array(3060..<3090) + Array(6140..<6160) + [8990] {
      let seed = UInt32(truncatingIfNeeded: length &* 0x9E37_79B9)
      let (fast, portable) = input[length % 9..<length % 9 + length].withUnsafeBytes {
        (CRC32C.checksum($0, seed: seed), CRC32C.portableChecksum($0, seed: seed))
      }
      #expect(fast == portable, "length \(length)")
    }
  }

  @Test func crc32cGoesOnWhereItStopped() {
    let input = bytes("a text in two parts")
    let whole = input.withUnsafeBytes { CRC32C.checksum($0) }
    let first = input[..<6].withUnsafeBytes { CRC32C.checksum($0) }
    let both = input[6...].withUnsafeBytes { CRC32C.checksum($0, seed: first) }
    #expect(both == whole)
  }

  /// FIPS 180-4's example "abc".
  @Test func sha256GivesThePublishedValue() {
    let expected = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    let digest = bytes("abc").withUnsafeBytes { SHA256Digest(of: $0) }
    #expect(digest.description == expected)
    var hasher = SHA256Hasher()
    bytes("a").withUnsafeBytes { hasher.update($0) }
    bytes("bc").withUnsafeBytes { hasher.update($0) }
    #expect(hasher.digest() == digest)
    #expect(Fingerprint(of: "abc").description == String(expected.prefix(32)))
  }

  @Test func hexadecimalReadsWhatItWrites() {
    #expect(Hexadecimal.string(UInt64(0xDEAD_BEEF)) == "00000000deadbeef")
    #expect(Hexadecimal.value("00000000deadbeef".utf8) == 0xDEAD_BEEF)
    #expect(Hexadecimal.value("DEADBEEF".utf8) == 0xDEAD_BEEF)
    for bad in ["", "xyz", "0123456789abcdef0"] { #expect(Hexadecimal.value(bad.utf8) == nil) }
  }

  @Test func aShortMessageHasTheFingerprintOfAnyOther() {
    for count in 0...300 {
      let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ count) }
      let piecewise = Fingerprint { hasher in
        for byte in bytes { withUnsafeBytes(of: byte) { hasher.update($0) } }
      }
      #expect(bytes.withUnsafeBytes { Fingerprint(of: $0) } == piecewise)
      guard count <= ShortMessage.limit else { continue }
      var message = ShortMessage()
      bytes.prefix(count / 3).withUnsafeBytes { message.append($0) }
      bytes.dropFirst(count / 3).withUnsafeBytes { message.append($0) }
      #expect(message.fingerprint() == piecewise)
    }
  }

  @Test(arguments: [0, 1, 0x0123_4567_89AB_CDEF, 0xFEDC_BA98_7654_3210, UInt64.max])
  func sixteenDigits(_ value: UInt64) {
    let plain = String(value, radix: 16)
    let expected = String(repeating: "0", count: 16 - plain.utf8.count) + plain
    var digits = Hexadecimal.digits(value)
    #expect(withUnsafeBytes(of: &digits) { String(decoding: $0, as: UTF8.self) } == expected)
    #expect(Hexadecimal.string(value) == expected)
  }
}
