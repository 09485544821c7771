internal import Glibc

/// The ids of one load's requests: eight hexadecimal digits for the load, eight for the request.
///
/// They stand at the same place in every request and every reply, so they are written and read
/// without looking at the rest.
struct RequestIDs {
  /// Other loads' ids and streams must not be the same.
  let run: String
  /// Of what this load does at random; not 0.
  let seed: UInt64

  /// The first bytes of each request and reply, and those behind the number in a reply that says
  /// that it worked. (Globals would have to be looked up on each use.)
  private let beginning: [UInt8]
  private let accepted: [UInt8]

  init() {
    // Always eight digits, so that all loads' names are of one length.
    let number = UInt32.random(in: 0x1000_0000 ... .max)
    run = String(number, radix: 16)
    seed = UInt64(number)
    beginning = Array((#"{"id":""# + run).utf8)
    accepted = Array(#"","ok":true"#.utf8)
  }

  /// A request's beginning, with room for its number.
  var requestBeginning: String { String(decoding: beginning, as: UTF8.self) + "00000000\"," }

  /// Where a request's number stands.
  @inline(__always)
  private var place: Range<Int> { beginning.count..<beginning.count + 8 }

  @inline(__always)
  func write(_ number: Int, to request: UnsafeMutableRawBufferPointer) {
    var rest = number
    for index in place.reversed() {
      let digit = UInt8(truncatingIfNeeded: rest & 15)
      request[index] = digit < 10 ? 48 + digit : 87 + digit
      rest >>= 4
    }
  }

  /// The number of the request that `reply` says worked; nil for any other message.
  @inline(__always)
  func number(ofAccepted reply: UnsafeRawBufferPointer) -> Int? {
    let place = place
    guard reply.count > place.upperBound + accepted.count, let start = reply.baseAddress,
      memcmp(start, beginning, beginning.count) == 0,
      memcmp(start + place.upperBound, accepted, accepted.count) == 0
    else { return nil }
    var number = 0
    for index in place {
      let byte = reply[index]
      let digit = byte < 58 ? Int(byte) - 48 : Int(byte) - 87
      guard (0..<16).contains(digit) else { return nil }
      number = number << 4 | digit
    }
    return number
  }
}
