/// What stays the same of a Maildir file's name for its whole life: all before the flags.
public struct MaildirKey: Hashable, Comparable, Sendable, CustomStringConvertible {
  let bytes: [UInt8]

  init(_ bytes: some Sequence<UInt8>) { self.bytes = Array(bytes) }

  public static func < (left: MaildirKey, right: MaildirKey) -> Bool {
    left.bytes.lexicographicallyPrecedes(right.bytes)
  }

  /// As text that ``init(_:)`` takes back: printable ASCII as it is, any other byte as `%` and two
  /// hexadecimal digits. File names need not be UTF-8.
  public var description: String {
    var text: [UInt8] = []
    for byte in bytes {
      if (0x21...0x7E).contains(byte) && byte != Self.escape {
        text.append(byte)
      } else {
        text += [Self.escape] + Array((byte < 16 ? "0" : "").utf8)
        text += Array(String(byte, radix: 16).utf8)
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Nil where `text` is not what ``description`` gives.
  public init?(_ text: String) {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      guard byte == Self.escape else {
        bytes.append(byte)
        continue
      }
      guard rest.count >= 2,
        let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
      else { return nil }
      bytes.append(value)
      rest = rest.dropFirst(2)
    }
    self.bytes = bytes
    // A name has one text only.
    if bytes.isEmpty || description != text { return nil }
  }

  private static let escape = UInt8(ascii: "%")
}

/// One mail file of a Maildir, as it was listed.
public struct MaildirEntry: Sendable {
  let name: MaildirName
  let box: MaildirBox

  public var key: MaildirKey { MaildirKey(name.unique) }

  /// Whether it is in `new`, where nobody has seen it yet.
  public var isNew: Bool { box == .new }

  public var flags: MailFlags { name.flags(isNew: isNew) }

  /// By age, as the names tell it.
  public static func precedes(_ left: MaildirEntry, _ right: MaildirEntry) -> Bool {
    MaildirName.precedes(left.name, right.name)
  }
}

/// The mail files of a Maildir at one time.
public struct MaildirListing: Sendable {
  public private(set) var entries: [MaildirKey: MaildirEntry] = [:]

  public init() {}

  public subscript(key: MaildirKey) -> MaildirEntry? { entries[key] }

  /// Of two files with one unique part, which no sound program makes, `cur` counts, and there the
  /// first by name.
  mutating func add(_ entry: MaildirEntry) {
    let key = entry.key
    if let other = entries[key], other.box == entry.box { return }
    entries[key] = entry
  }
}
