/// A Maildir file name: `<time>.<unique>[:2,<flags>]`.
struct MaildirName {
  let name: [UInt8]
  /// Without the info that other programs change; the same file for its whole life.
  let unique: ArraySlice<UInt8>
  /// What stands before the info; nil where the name has none.
  let separator: UInt8?
  /// The info's letters as they are, those that only other programs understand too.
  let letters: ArraySlice<UInt8>
  let flags: MailFlags
  /// Seconds since 1970, as the delivering program named the file; nil if it did not.
  private let time: UInt64?

  init(_ name: [UInt8]) {
    self.name = name
    // Some programs put `;` or `!` where a file system does not allow the colon.
    let info = name.indices.last { index in
      ":;!".utf8.contains(name[index]) && name[(index + 1)...].starts(with: "2,".utf8)
    }
    unique = name[..<(info ?? name.count)]
    separator = info.map { name[$0] }
    letters = info.map { name[($0 + 3)...] } ?? []
    flags = MailFlags(maildirLetters: letters)
    let digits = name.prefix { $0.isDigit }
    time = UInt64(String(decoding: digits, as: UTF8.self))
  }

  /// What the file says; in `new` nobody has seen it yet, whatever its name says.
  func flags(isNew: Bool) -> MailFlags { isNew ? flags.subtracting(.read) : flags }

  /// The name in `cur` with these flags instead of its own. Letters that are none of ours stay, and
  /// all are sorted, as the format asks.
  func with(_ flags: MailFlags) -> [UInt8] {
    let foreign = letters.filter { MailFlags(maildirLetters: [$0]).isEmpty }
    let all = Set(foreign).union(flags.maildirLetters)
    return Array(unique) + [separator ?? UInt8(ascii: ":")] + Array("2,".utf8) + all.sorted()
  }

  /// By time of delivery, then by unique name; files without a time come last.
  static func precedes(_ left: MaildirName, _ right: MaildirName) -> Bool {
    if left.time != right.time { return (left.time ?? .max) < (right.time ?? .max) }
    return left.unique.lexicographicallyPrecedes(right.unique)
  }
}
