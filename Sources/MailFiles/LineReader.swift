import Glibc

/// Walks through a file line by line with one buffer of fixed size, whatever the line length.
final class LineReader {
  /// A line, or a piece of one that is longer than `longestPiece`.
  struct Piece {
    /// In the reader's buffer; valid until the reader advances.
    let bytes: UnsafeRawBufferPointer
    let startsLine: Bool
    /// Position in the file.
    let offset: Int
  }

  static let capacity = 256 << 10
  static let longestPiece = 64 << 10
  /// Bytes after a piece that `following` can show.
  static let lookahead = 2 << 10

  let file: InputFile
  private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: capacity, alignment: 16)
  private var head = 0
  private var tail = 0
  private var nextStartsLine = true
  private var current: Piece?
  /// Where the piece after the current one begins in the file.
  private(set) var offset: Int

  init(_ file: InputFile, from offset: Int) {
    self.file = file
    self.offset = offset
  }

  deinit { buffer.deallocate() }

  /// The current piece; nil at the end of the file.
  func peek() throws(SystemError) -> Piece? {
    if let current { return current }
    try fill(Self.longestPiece + Self.lookahead)
    let limit = min(tail - head, Self.longestPiece)
    guard limit > 0 else { return nil }
    let start = buffer.baseAddress! + head
    let newline = memchr(start, 0x0A, limit)
    let count = newline.map { UnsafeMutableRawPointer($0) - start + 1 } ?? limit
    let bytes = UnsafeRawBufferPointer(start: start, count: count)
    let piece = Piece(bytes: bytes, startsLine: nextStartsLine, offset: offset)
    current = piece
    return piece
  }

  /// The bytes behind the current piece: `lookahead` of them, fewer at the file's end.
  var following: UnsafeRawBufferPointer {
    let start = head + (current?.bytes.count ?? 0)
    return UnsafeRawBufferPointer(rebasing: buffer[start..<min(tail, start + Self.lookahead)])
  }

  /// Goes to the next piece.
  func advance() {
    guard let piece = current else { return }
    nextStartsLine = piece.bytes.last == 0x0A
    head += piece.bytes.count
    offset += piece.bytes.count
    current = nil
  }

  private func fill(_ wanted: Int) throws(SystemError) {
    guard tail - head < wanted else { return }
    if head > 0 { memmove(buffer.baseAddress!, buffer.baseAddress! + head, tail - head) }
    tail -= head
    head = 0
    let free = UnsafeMutableRawBufferPointer(rebasing: buffer[tail...])
    tail += try file.read(into: free, at: offset + tail)
  }
}
