internal import Digests
internal import EventSourcing

extension KnownMails {
  /// What a mail is known by.
  private enum Kind: UInt8 {
    case nothing, messageID, messageIDAndDigest, digest

    var fingerprints: Int {
      switch self {
      case .nothing: 0
      case .messageID, .digest: 1
      case .messageIDAndDigest: 2
      }
    }
  }

  /// About how many bytes of memory it takes. A dictionary has room for a third more than it says,
  /// and a bit for each place.
  var memoryFootprint: Int {
    let key = MemoryLayout<Fingerprint>.stride
    return
      (byMessageID.capacity * (key + MemoryLayout<Entry>.stride) + byDigest.capacity * (key + 4))
      * 4 / 3 + namesakes.count * 128
  }

  /// Writes what each of the mails from 1 to `count` is known by, a byte each, then their hashes.
  func writeSnapshot(mails count: Int, to writer: inout SnapshotWriter) {
    var kinds = [Kind](repeating: .nothing, count: count)
    forEach { mail, messageID, digest in
      kinds[Int(mail) - 1] =
        messageID == nil ? .digest : digest == nil ? .messageID : .messageIDAndDigest
    }
    writer.raw(kinds.lazy.map(\.rawValue))
    // Where each mail's hashes go: dictionaries give them in an order of their own.
    var places: [Int] = []
    places.reserveCapacity(count)
    var total = 0
    for kind in kinds {
      places.append(total)
      total += kind.fingerprints
    }
    writer.fingerprints(total) { put in
      forEach { mail, messageID, digest in
        var place = places[Int(mail) - 1]
        if let messageID {
          put(place, messageID)
          place += 1
        }
        if let digest { put(place, digest) }
      }
    }
  }

  private func forEach(
    _ body: (_ mail: UInt32, _ messageID: Fingerprint?, _ digest: Fingerprint?) -> Void
  ) {
    for (messageID, entry) in byMessageID { body(entry.mail, messageID, entry.digest) }
    for (messageID, entries) in namesakes {
      for entry in entries { body(entry.mail, messageID, entry.digest) }
    }
    for (digest, mail) in byDigest { body(mail, nil, digest) }
  }

  init(mails count: Int, snapshot reader: inout SnapshotReader) throws(SnapshotDecodingError) {
    var kinds: [Kind] = []
    kinds.reserveCapacity(count)
    var withMessageID = 0
    var withDigestOnly = 0
    for byte in try reader.raw(count) {
      guard let kind = Kind(rawValue: byte) else {
        throw SnapshotDecodingError("a mail is known by something unknown")
      }
      kinds.append(kind)
      if kind == .messageID || kind == .messageIDAndDigest { withMessageID += 1 }
      if kind == .digest { withDigestOnly += 1 }
    }
    self.init(messageIDs: withMessageID, digests: withDigestOnly)
    for (index, kind) in kinds.enumerated() {
      let mail = UInt32(index + 1)
      switch kind {
      case .nothing: break
      case .messageID: add(mail, messageID: try reader.fingerprint(), digest: nil)
      case .messageIDAndDigest:
        let messageID = try reader.fingerprint()
        add(mail, messageID: messageID, digest: try reader.fingerprint())
      case .digest:
        guard add(mail, digest: try reader.fingerprint()) else {
          throw SnapshotDecodingError("two mails are known by one digest")
        }
      }
    }
  }
}
