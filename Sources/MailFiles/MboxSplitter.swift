/// One mail cut out of an mbox.
struct MboxPiece {
  /// The `From ` line.
  var fromLine: [UInt8]
  /// The message, one level of `>From ` quoting undone; empty where it is too long.
  var bytes: [UInt8] = []
  /// Bytes in the file without the `From ` line and the separating blank line.
  var size = 0
  /// The message is longer than the limit, and was passed over.
  var isTooLong = false
}

/// Cuts an mbox into its mails, holding one mail at a time.
///
/// A `From ` line begins a mail if what follows can begin one (a header field or an empty line) and
/// - it has a date and stands after a blank line, or
/// - it is only a sender, stands after a blank line, and a header field follows, or
/// - it is Netscape's `From -`, and a header field follows, or
/// - the mail before it ends exactly there by its `Content-Length`.
/// No line inside of a believed `Content-Length` (one that leads exactly to a `From ` line or the
/// file's end) begins a mail.
final class MboxSplitter {
  private let reader: LineReader
  private let limit: Int
  private var content = ContentEnd()
  private var lastWasBlank = true

  init(_ file: InputFile, from offset: Int, limit: Int) {
    reader = LineReader(file, from: offset)
    self.limit = limit
  }

  /// Bytes of the file that are dealt with.
  var offset: Int { reader.offset }

  func next() throws(SystemError) -> MboxPiece? {
    guard var piece = try takeFromLine() else { return nil }
    content = ContentEnd()
    var blankAtEnd = 0
    while let line = try reader.peek() {
      if line.startsLine, beginsMail(line) { break }
      if !content.isPassed(line.offset) {
        append(line, to: &piece)
        blankAtEnd = line.startsLine && line.bytes.isBlank ? line.bytes.count : 0
      }
      try content.note(line, in: reader)
      lastWasBlank = line.startsLine && line.bytes.isBlank
      reader.advance()
    }
    if content.end == nil { piece.dropLast(blankAtEnd) }
    return piece
  }

  private func takeFromLine() throws(SystemError) -> MboxPiece? {
    guard let line = try reader.peek() else { return nil }
    let piece = MboxPiece(fromLine: Array(line.bytes))
    reader.advance()
    lastWasBlank = false
    return piece
  }

  private func append(_ line: LineReader.Piece, to piece: inout MboxPiece) {
    piece.size += line.bytes.count
    guard !piece.isTooLong else { return }
    guard piece.size <= limit else {
      piece.isTooLong = true
      piece.bytes = []
      return
    }
    let isQuoted = line.startsLine && line.bytes.isQuotedFrom
    piece.bytes.append(contentsOf: isQuoted ? line.bytes.dropFirst() : line.bytes[...])
  }

  private func beginsMail(_ line: LineReader.Piece) -> Bool {
    guard FromLine.hasPrefix(line.bytes), content.allowsMail(at: line.offset),
      let form = FromLine.form(line.bytes), FromLine.canBeginMail(reader.following)
    else { return false }
    if content.isJustPassed(line.offset) { return true }
    switch form {
    case .dated: return lastWasBlank
    case .senderOnly: return lastWasBlank && HeaderLine.name(reader.following) != nil
    case .dash: return HeaderLine.name(reader.following) != nil
    }
  }
}

extension MboxPiece {
  fileprivate mutating func dropLast(_ count: Int) {
    size -= count
    if !isTooLong { bytes.removeLast(count) }
  }
}

extension UnsafeRawBufferPointer {
  /// A line that is empty but for its line break.
  var isBlank: Bool {
    count <= 2 && (first == 0x0A || (count == 2 && self[0] == 0x0D && self[1] == 0x0A))
  }

  /// One or more `>`, then `From `.
  var isQuotedFrom: Bool {
    guard first == UInt8(ascii: ">"), let start = firstIndex(where: { $0 != UInt8(ascii: ">") })
    else { return false }
    return FromLine.hasPrefix(UnsafeRawBufferPointer(rebasing: self[start...]))
  }
}
