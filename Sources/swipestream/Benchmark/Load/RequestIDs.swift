internal import Glibc

/// The ids of one load's requests: eight hexadecimal digits for the load, eight for the request.
///
/// They stand at the same place in every request and every reply, so they are written and read
/// without looking at the rest.
struct RequestIDs {
  /// Other loads' ids and streams must not be the same.
  let run: String
  /// Of what this load does at random; not 0.
  var seed: UInt64 { UInt64(run, radix: 16) ?? 1 }

  private static let beginning = #"{"id":""#
  private static let numberOffset = beginning.utf8.count + 8
  private static let numberEnd = numberOffset + 8
  private static let accepted = Array(#"","ok":true"#.utf8)
  private static let digits = Array("0123456789abcdef".utf8)

  /// The first bytes of each request and reply.
  private let prefix: [UInt8]

  init() {
    // Always eight digits, so that all loads' names are of one length.
    run = String(UInt32.random(in: 0x1000_0000 ... .max), radix: 16)
    prefix = Array((Self.beginning + run).utf8)
  }

  /// A request's beginning, with room for its number.
  var requestBeginning: String { Self.beginning + run + "00000000\"," }

  @inline(__always)
  func write(_ number: Int, to request: UnsafeMutableRawBufferPointer) {
    var rest = number
    Self.digits.withUnsafeBufferPointer { digits in
      var place = Self.numberEnd
      while place > Self.numberOffset {
        place -= 1
        request[place] = digits[rest & 15]
        rest >>= 4
      }
    }
  }

  /// The number of the request that `reply` says worked; nil for any other message.
  @inline(__always)
  func number(ofAccepted reply: UnsafeRawBufferPointer) -> Int? {
    let accepted = Self.accepted
    guard reply.count > Self.numberEnd + accepted.count, let start = reply.baseAddress,
      memcmp(start, prefix, prefix.count) == 0,
      memcmp(start + Self.numberEnd, accepted, accepted.count) == 0
    else { return nil }
    var number = 0
    for place in Self.numberOffset..<Self.numberEnd {
      let byte = reply[place]
      let digit = byte < 58 ? Int(byte) - 48 : Int(byte) - 87
      guard (0..<16).contains(digit) else { return nil }
      number = number << 4 | digit
    }
    return number
  }
}
