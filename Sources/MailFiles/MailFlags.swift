/// The four marks that Maildir and mbox both carry.
public struct MailFlags: OptionSet, Hashable, Sendable {
  public let rawValue: UInt8

  public init(rawValue: UInt8) { self.rawValue = rawValue }

  public static let read = MailFlags(rawValue: 1)
  public static let flagged = MailFlags(rawValue: 2)
  public static let answered = MailFlags(rawValue: 4)
  public static let trashed = MailFlags(rawValue: 8)
}

extension MailFlags {
  /// In the letters' order.
  private static let letters: [(letter: UInt8, flag: MailFlags)] = [
    (UInt8(ascii: "F"), .flagged), (UInt8(ascii: "R"), .answered), (UInt8(ascii: "S"), .read),
    (UInt8(ascii: "T"), .trashed),
  ]

  /// From the letters after `:2,` in a Maildir file name.
  public init(maildirLetters: some Sequence<UInt8>) {
    self.init(letters: maildirLetters) { letter in
      Self.letters.first { $0.letter == letter }?.flag ?? []
    }
  }

  /// The letters for a Maildir file name, in their order.
  public var maildirLetters: [UInt8] {
    Self.letters.filter { contains($0.flag) }.map(\.letter)
  }

  /// From the mbox headers `Status`, `X-Status` and Mozilla's hexadecimal `X-Mozilla-Status`.
  init(status: String?, xStatus: String?, mozilla: String?) {
    self.init(letters: (status ?? "").utf8) { $0 == UInt8(ascii: "R") ? .read : [] }
    formUnion(
      MailFlags(letters: (xStatus ?? "").utf8) { letter in
        switch letter {
        case UInt8(ascii: "F"): .flagged
        case UInt8(ascii: "A"): .answered
        case UInt8(ascii: "D"): .trashed
        default: []
        }
      })
    guard let mozilla, let bits = UInt16(mozilla, radix: 16) else { return }
    if bits & 0x1 != 0 { insert(.read) }
    if bits & 0x2 != 0 { insert(.answered) }
    if bits & 0x4 != 0 { insert(.flagged) }
    if bits & 0x8 != 0 { insert(.trashed) }
  }

  private init(letters: some Sequence<UInt8>, meaning: (UInt8) -> MailFlags) {
    self = []
    for letter in letters { formUnion(meaning(letter)) }
  }
}
