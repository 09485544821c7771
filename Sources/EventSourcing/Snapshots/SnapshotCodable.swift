public import Digests

/// A state that can be kept as bytes, so that a long stream need not be replayed from its beginning.
///
/// The bytes are canonical: equal states give equal bytes, whatever events led there, and bytes that
/// ``init(snapshot:)`` accepts are those that the state gives again. So ``stateHash`` tells whether
/// two states are equal.
public protocol SnapshotCodable: Sendable {
  /// The number of what the bytes mean. It goes up with every change of their form, and with every
  /// change of how events make the state: then older snapshots are left alone, and made anew from
  /// the log.
  static var snapshotVersion: UInt32 { get }

  /// Writes all that decisions and events look at.
  func writeSnapshot(to writer: inout SnapshotWriter)

  /// Reads what ``writeSnapshot(to:)`` of this version wrote. Total: bytes that are anything else
  /// throw, without a trap and without more memory than a small multiple of their number; a state
  /// that is read is one that no later event or command can break.
  init(snapshot reader: inout SnapshotReader) throws(SnapshotDecodingError)

  /// About how many bytes of memory the state takes. Cheap: it is asked after every change.
  var memoryFootprint: Int { get }
}

extension SnapshotCodable {
  /// The state as bytes.
  public var snapshotBytes: [UInt8] {
    var writer = SnapshotWriter()
    writeSnapshot(to: &writer)
    return writer.bytes
  }

  /// Reads all of `bytes`.
  public init(snapshotBytes bytes: [UInt8]) throws(SnapshotDecodingError) {
    var reader = SnapshotReader(bytes)
    try self.init(snapshot: &reader)
    try reader.finish()
  }

  /// SHA-256 over ``snapshotBytes``: equal for equal states only.
  public var stateHash: SHA256Digest {
    snapshotBytes.withUnsafeBytes { SHA256Digest(of: $0) }
  }
}

/// Why bytes are no state.
public struct SnapshotDecodingError: Error, Sendable, Equatable, CustomStringConvertible {
  public let reason: String

  public init(_ reason: String) { self.reason = reason }

  public var description: String { "not a snapshot: \(reason)" }
}
