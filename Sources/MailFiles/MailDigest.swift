internal import CGMime
import Glibc

/// The digest of a message's canonical form; `MailMessage.digest` says what that is.
enum MailDigest {
  /// Fields in which mail stores keep state, in lower case.
  private static let volatileFields: Set<String> = [
    "status", "x-status", "x-keywords", "x-mozilla-status", "x-mozilla-status2",
    "x-mozilla-keys", "x-uid", "x-imap", "x-imapbase", "content-length",
  ]

  static func digest(_ message: UnsafeRawBufferPointer) -> String {
    let checksum = g_checksum_new(G_CHECKSUM_SHA256)
    defer { g_checksum_free(checksum) }
    var canonical = CanonicalForm { bytes in
      guard let base = bytes.baseAddress else { return }
      g_checksum_update(checksum, base.assumingMemoryBound(to: UInt8.self), bytes.count)
    }
    var rest = message[...]
    while !rest.isEmpty {
      let line = rest.prefix(
        through: UnsafeRawBufferPointer(rebasing: rest).lineEnd + rest.startIndex)
      canonical.add(UnsafeRawBufferPointer(rebasing: line))
      rest = rest[line.endIndex...]
    }
    canonical.finish()
    return String(cString: g_checksum_get_string(checksum))
  }

  static func isVolatile(_ name: Slice<UnsafeRawBufferPointer>) -> Bool {
    // Every one of these names begins with one of these letters, and few other fields do.
    guard let first = name.first, "sScCxX".utf8.contains(first) else { return false }
    return volatileFields.contains(String(decoding: name, as: UTF8.self).lowercased())
  }
}

/// Gives a message's lines on in canonical form.
private struct CanonicalForm {
  private let emit: (UnsafeRawBufferPointer) -> Void
  private var output: [UInt8] = []
  private var pendingBlankLines = 0
  private var isInHeader = true
  private var isInVolatileField = false

  init(emit: @escaping (UnsafeRawBufferPointer) -> Void) { self.emit = emit }

  mutating func add(_ line: UnsafeRawBufferPointer) {
    var line = line.withoutLineBreak
    if line.isEmpty {
      isInHeader = false
      pendingBlankLines += 1
      return
    }
    if isInHeader, skipsField(line) { return }
    if line.isQuotedFrom {
      line = UnsafeRawBufferPointer(rebasing: line.drop { $0 == UInt8(ascii: ">") })
    }
    while pendingBlankLines > 0 {
      append(UnsafeRawBufferPointer(start: nil, count: 0))
      pendingBlankLines -= 1
    }
    append(line)
  }

  mutating func finish() { flush() }

  private mutating func skipsField(_ line: UnsafeRawBufferPointer) -> Bool {
    if line[0] != 0x20 && line[0] != 0x09 {
      isInVolatileField = HeaderLine.name(line).map(MailDigest.isVolatile) ?? false
    }
    return isInVolatileField
  }

  private mutating func append(_ line: UnsafeRawBufferPointer) {
    output.append(contentsOf: line)
    output.append(0x0A)
    if output.count >= 32 << 10 { flush() }
  }

  private mutating func flush() {
    output.withUnsafeBytes(emit)
    output.removeAll(keepingCapacity: true)
  }
}

extension UnsafeRawBufferPointer {
  /// The index of the first LF, or of the last byte; there must be one.
  fileprivate var lineEnd: Int {
    memchr(baseAddress!, 0x0A, count).map { UnsafeRawPointer($0) - baseAddress! } ?? count - 1
  }

  fileprivate var withoutLineBreak: UnsafeRawBufferPointer {
    var end = count
    if end > 0, self[end - 1] == 0x0A { end -= 1 }
    if end > 0, end < count, self[end - 1] == 0x0D { end -= 1 }
    return UnsafeRawBufferPointer(rebasing: self[..<end])
  }
}
