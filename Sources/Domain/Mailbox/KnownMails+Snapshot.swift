internal import Digests
internal import EventSourcing

extension KnownMails {
  /// What a mail is known by.
  private enum Kind: UInt8 {
    case nothing, messageID, messageIDAndDigest, digest

    init(_ trace: MailTrace) {
      self =
        trace.messageID == nil
        ? trace.digest == nil ? .nothing : .digest
        : trace.digest == nil ? .messageID : .messageIDAndDigest
    }
  }

  /// About how many bytes of memory it takes. A dictionary has room for a third more than it says,
  /// and a bit for each place.
  var memoryFootprint: Int {
    traces.capacity * MemoryLayout<MailTrace>.stride
      + oldest.capacity * (MemoryLayout<Fingerprint>.stride + 4) * 4 / 3 + namesakes.count * 128
  }

  /// Writes whether there is a salt (1 byte) and the salt, what each mail is known by, a byte each,
  /// then their hashes.
  func writeSnapshot(to writer: inout SnapshotWriter) {
    writer.bool(salt != nil)
    if let salt { writer.fingerprint(salt) }
    let mails = traces.dropFirst()
    writer.raw(mails.lazy.map { Kind($0).rawValue })
    for trace in mails {
      if let messageID = trace.messageID { writer.fingerprint(messageID) }
      if let digest = trace.digest { writer.fingerprint(digest) }
    }
  }

  init(mails count: Int, snapshot reader: inout SnapshotReader) throws(SnapshotDecodingError) {
    let salt = try reader.bool() ? try reader.fingerprint() : nil
    self.init(salt: salt, mails: count)
    for byte in try reader.raw(count) {
      guard let kind = Kind(rawValue: byte) else {
        throw SnapshotDecodingError("a mail is known by something unknown")
      }
      let hasMessageID = kind == .messageID || kind == .messageIDAndDigest
      let hasDigest = kind == .digest || kind == .messageIDAndDigest
      let trace = MailTrace(
        messageID: hasMessageID ? try reader.fingerprint() : nil,
        digest: hasDigest ? try reader.fingerprint() : nil)
      guard Kind(trace) == kind else {
        throw SnapshotDecodingError("a mail is known by a hash that no text has")
      }
      add(trace)
    }
  }
}
