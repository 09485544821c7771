/// The streams that a load's commands go to, one after the other.
struct LoadStreams {
  /// So many names are of one length.
  static let limit = 1_000_000
  static let suffixWidth = 6

  let category: String
  /// What all names begin with.
  let base: String
  let count: Int
  /// How many mails or items each has.
  let rows: Int
  /// Whether the load makes them. Others were there before, with no mail flagged.
  let isOwn: Bool

  /// The name of the stream number `index` from 0.
  func name(_ index: Int) -> String {
    guard count > 1 else { return base }
    let digits = String(index)
    return base + String(repeating: "0", count: Self.suffixWidth - digits.utf8.count) + digits
  }

  /// Adds a stream's name to a text; only one of several has a number.
  func addName(to builder: inout RequestText.Builder) -> RequestText.Field? {
    builder.add(base)
    return count > 1 ? builder.addField(width: Self.suffixWidth, padding: "0") : nil
  }
}
