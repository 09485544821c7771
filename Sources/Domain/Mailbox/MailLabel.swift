/// A keyword that a mail has, as JMAP and IMAP have them (RFC 8621 section 4.1.1, RFC 9051 section
/// 2.3.2): compared without regard to case, so kept in lower case.
public struct MailLabel: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// In bytes, each a character.
  public static let lengthLimit = 255

  public let text: String

  /// Nil where `text` is no keyword: 1 to 255 printable ASCII characters, without space and
  /// `( ) { ] % * " \ ;`.
  public init?(_ text: String) {
    let utf8 = text.utf8
    guard (1...Self.lengthLimit).contains(utf8.count), utf8.allSatisfy(Self.isAllowed) else {
      return nil
    }
    self.text = String(decoding: utf8.map(Self.lowercased), as: UTF8.self)
  }

  /// The same on every machine (FNV-1a), so that what hangs on it does, too.
  var shortHash: UInt32 {
    text.utf8.reduce(2_166_136_261) { ($0 ^ UInt32($1)) &* 16_777_619 }
  }

  private static func isAllowed(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: "{"), UInt8(ascii: "]"),
      UInt8(ascii: "%"), UInt8(ascii: "*"), UInt8(ascii: "\""), UInt8(ascii: "\\"),
      UInt8(ascii: ";"):
      false
    default: (0x21...0x7E).contains(byte)
    }
  }

  private static func lowercased(_ byte: UInt8) -> UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
  }

  /// Refuses the system keywords: they have commands of their own.
  func check(_ path: String) throws(FieldError) {
    guard let advice = systemAdvice else { return }
    throw FieldError(path, "must not be the system keyword '\(text)': \(advice)")
  }

  /// Of a system keyword, what to do instead of using it as a label; nil for every other one.
  private var systemAdvice: StaticString? {
    switch text {
    case "$seen": "use 'mark-read' and 'mark-unread'"
    case "$flagged": "use 'flag' and 'unflag'"
    case "$answered": "give 'answered' with 'deliver'"
    case "$draft": "a mailbox holds no drafts"
    default: nil
    }
  }

  public static func < (a: MailLabel, b: MailLabel) -> Bool { a.text < b.text }

  public var description: String { text }
}

extension Fields {
  /// A label of a command.
  func label(_ key: StaticString) throws(FieldError) -> MailLabel {
    let label = try storedLabel(key)
    try label.check("\(key)")
    return label
  }

  /// A label of an event: what was once accepted is taken as it is.
  func storedLabel(_ key: StaticString) throws(FieldError) -> MailLabel {
    guard let label = MailLabel(try string(key)) else { throw Self.noLabel("\(key)") }
    return label
  }

  /// Labels in order, each once; nil where the field is absent.
  func optionalLabels(_ key: StaticString) throws(FieldError) -> [MailLabel]? {
    guard let texts = try optionalStrings(key) else { return nil }
    var labels: Set<MailLabel> = []
    for (index, text) in texts.enumerated() {
      guard let label = MailLabel(text) else { throw Self.noLabel("\(key)[\(index)]") }
      labels.insert(label)
    }
    return labels.sorted()
  }

  private static func noLabel(_ path: String) -> FieldError {
    FieldError(
      path,
      "must be 1 to \(MailLabel.lengthLimit) printable ASCII characters, without space and "
        + #"( ) { ] % * " \ ;"#)
  }
}
