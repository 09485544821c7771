/// Decides from a file's first bytes whether it holds mail, and in which form.
enum MailSniffer {
  enum Verdict: Equatable {
    /// One message that begins at the offset; the `From ` line before it, if there is one.
    case message(from: Int, fromLine: [UInt8])
    /// Mails with `From ` lines, the first at the offset.
    case mbox(from: Int)
    case noMail(reason: String)
  }

  /// Bytes that `sniff` wants to see.
  static let window = 16 << 10

  private static let known: Set<String> = [
    "from", "to", "cc", "bcc", "subject", "date", "message-id", "received", "return-path",
    "sender", "reply-to", "in-reply-to", "references", "mime-version", "content-type",
    "content-transfer-encoding", "delivered-to", "envelope-to", "resent-from", "resent-to",
    "newsgroups",
  ]

  /// `isTrusted` says that the place or the name promises one mail, so that any header field will
  /// do and a `From ` line does not make it an mbox.
  static func sniff(_ bytes: UnsafeRawBufferPointer, isTrusted: Bool) -> Verdict {
    var start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    let contentStart = start
    while start < bytes.count, bytes[start] == 0x0A || bytes[start] == 0x0D { start += 1 }
    guard start < bytes.count else { return .noMail(reason: "empty file") }
    let text = UnsafeRawBufferPointer(rebasing: bytes[start...])
    if let length = fromLineLength(text) {
      if !isTrusted { return .mbox(from: start) }
      return .message(from: start + length, fromLine: Array(text.prefix(length)))
    }
    // Only the header must be text: a body may hold anything.
    if hasHeader(text, isTrusted: isTrusted), !isBinary(header(text)) {
      return .message(from: start, fromLine: [])
    }
    if isBinary(text[...]) { return .noMail(reason: "not a mail file (binary data)") }
    // The empty line that ends a header without fields; before a field it would be dirt.
    if isTrusted, start > contentStart { return .message(from: contentStart, fromLine: []) }
    return .noMail(reason: "not a mail file (no mail header)")
  }

  private static func fromLineLength(_ text: UnsafeRawBufferPointer) -> Int? {
    guard FromLine.hasPrefix(text), let end = text.firstIndex(of: 0x0A),
      FromLine.form(UnsafeRawBufferPointer(rebasing: text[...end])) != nil,
      FromLine.canBeginMail(UnsafeRawBufferPointer(rebasing: text[(end + 1)...]))
    else { return nil }
    return end + 1
  }

  /// A field with a known name (any name if trusted) before the first empty line.
  private static func hasHeader(_ text: UnsafeRawBufferPointer, isTrusted: Bool) -> Bool {
    for line in text.split(separator: 0x0A, omittingEmptySubsequences: false) {
      let line = UnsafeRawBufferPointer(rebasing: line.drop { $0 == 0x20 || $0 == 0x09 })
      if line.isEmpty || line.first == 0x0D { return false }
      guard let name = HeaderLine.name(line) else { continue }
      if isTrusted || known.contains(String(decoding: name, as: UTF8.self).lowercased()) {
        return true
      }
    }
    return false
  }

  /// What comes before the first empty line.
  private static func header(_ text: UnsafeRawBufferPointer) -> Slice<UnsafeRawBufferPointer> {
    var last: UInt8 = 0
    for (index, byte) in text.prefix(512).enumerated() where byte != 0x0D {
      if byte == 0x0A && last == 0x0A { return text[..<index] }
      last = byte
    }
    return text.prefix(512)
  }

  /// Several control characters at the start, one in twenty bytes; text has hardly any.
  private static func isBinary(_ text: Slice<UnsafeRawBufferPointer>) -> Bool {
    let start = text.prefix(512)
    let controls = start.count { $0 < 0x20 && !(0x07...0x0D).contains($0) && $0 != 0x1B }
    return controls > 8 && controls * 20 > start.count
  }
}
