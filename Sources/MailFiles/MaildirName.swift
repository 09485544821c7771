/// A Maildir file name: `<time>.<unique>[:2,<flags>]`.
struct MaildirName {
  let name: [UInt8]
  /// Without the info that other programs change; the same file for its whole life.
  let unique: ArraySlice<UInt8>
  let flags: MailFlags
  /// Seconds since 1970, as the delivering program named the file; nil if it did not.
  private let time: UInt64?

  init(_ name: [UInt8]) {
    self.name = name
    // Some programs put `;` or `!` where a file system does not allow the colon.
    let info = name.indices.last { index in
      ":;!".utf8.contains(name[index]) && name[(index + 1)...].starts(with: Array("2,".utf8))
    }
    unique = name[..<(info ?? name.count)]
    flags = MailFlags(maildirLetters: info.map { name[($0 + 3)...] } ?? [])
    let digits = name.prefix { $0.isDigit }
    time = UInt64(String(decoding: digits, as: UTF8.self))
  }

  /// By time of delivery, then by unique name; files without a time come last.
  static func precedes(_ left: MaildirName, _ right: MaildirName) -> Bool {
    if left.time != right.time { return (left.time ?? .max) < (right.time ?? .max) }
    return left.unique.lexicographicallyPrecedes(right.unique)
  }
}
