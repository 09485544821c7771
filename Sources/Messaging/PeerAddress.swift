/// Where a reply goes: the routing id that ROUTER gave the peer, and whether the peer puts an empty
/// delimiter frame in front (REQ does) and expects it back.
///
/// ROUTER's own ids are five bytes, so ids of up to eight are held without an allocation.
struct PeerAddress: Hashable, Sendable {
  private let packed: UInt64
  private let length: UInt8
  private let long: LongIdentity?
  let hasDelimiter: Bool

  init(_ identity: UnsafeRawBufferPointer, hasDelimiter: Bool) {
    self.hasDelimiter = hasDelimiter
    length = UInt8(min(identity.count, 255))
    if identity.count <= 8 {
      var packed: UInt64 = 0
      withUnsafeMutableBytes(of: &packed) { $0.copyBytes(from: identity) }
      self.packed = packed
      long = nil
    } else {
      packed = 0
      long = LongIdentity(bytes: Array(identity))
    }
  }

  func withIdentity<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    if let long { return long.bytes.withUnsafeBytes(body) }
    return withUnsafeBytes(of: packed) {
      body(UnsafeRawBufferPointer(rebasing: $0[0..<Int(length)]))
    }
  }
}

/// A routing id that a peer has chosen. An object of its own, as hardly any peer has one, and addresses
/// are copied often.
private final class LongIdentity: Hashable, Sendable {
  let bytes: [UInt8]

  init(bytes: [UInt8]) { self.bytes = bytes }

  static func == (a: LongIdentity, b: LongIdentity) -> Bool { a.bytes == b.bytes }
  func hash(into hasher: inout Hasher) { hasher.combine(bytes) }
}
