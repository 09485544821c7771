/// Follows a mail's header for its `Content-Length`, and believes it only where it fits the file.
struct ContentEnd {
  /// Where the mail ends in the file, if a `Content-Length` says so credibly.
  private(set) var end: Int?
  private var declared: Int?
  private var isInHeader = true

  private static let name = Array("content-length".utf8)
  /// Blank lines between the content and the `From ` line, in bytes.
  private static let gap = 4

  func allowsMail(at offset: Int) -> Bool { end.map { offset >= $0 } ?? true }

  func isPassed(_ offset: Int) -> Bool { end.map { offset >= $0 } ?? false }

  func isJustPassed(_ offset: Int) -> Bool {
    end.map { offset >= $0 && offset <= $0 + Self.gap } ?? false
  }

  mutating func note(_ line: LineReader.Piece, in reader: LineReader) throws(SystemError) {
    guard isInHeader, line.startsLine else { return }
    if line.bytes.isBlank {
      isInHeader = false
      guard let declared else { return }
      let (target, overflow) = (line.offset + line.bytes.count).addingReportingOverflow(declared)
      if !overflow, try Self.fits(target, in: reader.file) { end = target }
    } else if let name = HeaderLine.name(line.bytes),
      name.elementsEqual(Self.name, by: { $0 | 0x20 == $1 })
    {
      declared = Self.value(line.bytes.dropFirst(name.count))
    }
  }

  private static func value(_ bytes: Slice<UnsafeRawBufferPointer>) -> Int? {
    let text = String(decoding: bytes.prefix(64), as: UTF8.self)
    let words = text.split { $0 == ":" || $0.isWhitespace }
    guard words.count == 1, words[0].utf8.allSatisfy(\.isDigit) else { return nil }
    return Int(words[0])
  }

  private static func fits(_ target: Int, in file: InputFile) throws(SystemError) -> Bool {
    guard target <= file.size else { return false }
    let bytes = try file.bytes(at: target, count: LineReader.lookahead)
    return bytes.withUnsafeBytes { bytes in
      let blank = bytes.prefix(gap).prefix { $0 == 0x0A || $0 == 0x0D }.count
      guard blank < bytes.count else { return true }
      let line = UnsafeRawBufferPointer(rebasing: bytes[blank...])
      guard let end = line.firstIndex(of: 0x0A) else { return false }
      return FromLine.form(UnsafeRawBufferPointer(rebasing: line[...end])) != nil
        && FromLine.canBeginMail(UnsafeRawBufferPointer(rebasing: line[(end + 1)...]))
    }
  }
}
