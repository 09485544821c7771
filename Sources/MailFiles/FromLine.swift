/// Tells the `From ` lines that begin a mail in an mbox from prose that begins so.
enum FromLine {
  enum Form {
    /// Sender and date, as the format asks for.
    case dated
    /// `From -`, written by Netscape and Mozilla, with or without a date.
    case dash
    /// A sender and no date, as some exports write it.
    case senderOnly
  }

  private static let prefix = Array("From ".utf8)

  static func hasPrefix(_ line: UnsafeRawBufferPointer) -> Bool {
    line.count > prefix.count && line.prefix(prefix.count).elementsEqual(prefix)
  }

  /// Nil for a line that is no `From ` line at all.
  static func form(_ line: UnsafeRawBufferPointer) -> Form? {
    guard hasPrefix(line), line.count <= 1000 else { return nil }
    let words = self.words(line)
    if words.first == "-", words.count == 1 || date(words) != nil { return .dash }
    if date(words) != nil { return .dated }
    return words.count == 1 ? .senderOnly : nil
  }

  /// The envelope date of a `From ` line.
  static func date(_ line: [UInt8]) -> MailDate? {
    line.withUnsafeBytes { date(words($0)) }
  }

  private static func words(_ line: UnsafeRawBufferPointer) -> [Substring] {
    let text = String(decoding: line.dropFirst(prefix.count), as: UTF8.self)
    let words = text.split { $0 == "," || $0.isWhitespace }
    // UUCP's ending `… remote from host`.
    guard words.count > 3, words[words.count - 3] == "remote", words[words.count - 2] == "from"
    else { return words }
    return words.dropLast(3)
  }

  /// The date that the words end with; the sender before it may have blanks, and may be missing.
  private static func date(_ words: [Substring]) -> MailDate? {
    for start in 0..<min(words.count, 8) {
      if let date = MailDate(words: words[start...]), date.isLikelyEnvelope { return date }
    }
    return nil
  }

  /// Whether the line at the start of `bytes` can be the first of a mail: a header field, the
  /// empty line after no header at all, or the quoted `From ` line of an earlier mbox.
  static func canBeginMail(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard let first = bytes.first else { return true }
    if first == 0x0A || first == 0x0D { return true }
    return HeaderLine.name(bytes) != nil || bytes.starts(with: Array(">From ".utf8))
  }
}

extension MailDate {
  /// Prose can hold a month, a day and a time; a weekday or a full year too is hardly chance.
  fileprivate var isLikelyEnvelope: Bool { hasWeekday || (year ?? 0) >= 1000 }
}

/// The beginning of a header field.
enum HeaderLine {
  /// The name of the field that begins here: printable ASCII up to a colon.
  static func name(_ bytes: UnsafeRawBufferPointer) -> Slice<UnsafeRawBufferPointer>? {
    guard let end = bytes.prefix(256).firstIndex(where: { !isNameByte($0) }), end > 0 else {
      return nil
    }
    // RFC 822 allowed blanks before the colon.
    var colon = end
    while colon < bytes.count, bytes[colon] == 0x20 || bytes[colon] == 0x09 { colon += 1 }
    return colon < bytes.count && bytes[colon] == UInt8(ascii: ":") ? bytes[..<end] : nil
  }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    byte > 0x20 && byte < 0x7F && byte != UInt8(ascii: ":")
  }
}
