/// Makes text fit for a row of a list: one line, no control characters, a limit in bytes.
enum TextTidy {
  static let lineLimit = 998
  static let previewLimit = 512

  /// White space becomes blanks (one for each run if `collapsing`), control characters go, blanks
  /// at the ends go, and the rest is cut at `limit` bytes on a character boundary.
  static func line(_ text: String, limit: Int = lineLimit, collapsing: Bool = false) -> String {
    var scalars = String.UnicodeScalarView()
    var bytes = 0
    var lastWasBlank = true
    for scalar in text.unicodeScalars {
      // More than the limit, so that the cut sees whole characters.
      if bytes > limit + 64 { break }
      let isBlank = scalar.properties.isWhitespace
      if isBlank ? lastWasBlank && (collapsing || bytes == 0) : isDropped(scalar) { continue }
      scalars.append(isBlank ? " " : scalar)
      bytes += isBlank ? 1 : UTF8.width(scalar)
      lastWasBlank = isBlank
    }
    return cut(String(scalars), limit: limit)
  }

  private static func isDropped(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.generalCategory == .control || scalar == "\u{FEFF}"
  }

  private static func cut(_ text: String, limit: Int) -> String {
    var text = text[...]
    if text.utf8.count > limit {
      var end = text.startIndex
      var bytes = 0
      while end < text.endIndex {
        bytes += text[end].utf8.count
        if bytes > limit { break }
        end = text.index(after: end)
      }
      // One "character" of very many combining marks has no boundary to cut at but its scalars'.
      if end == text.startIndex { end = scalarBoundary(text, limit: limit) }
      text = text[..<end]
    }
    while text.last == " " { text.removeLast() }
    return String(text)
  }

  private static func scalarBoundary(_ text: Substring, limit: Int) -> String.Index {
    var end = text.startIndex
    var bytes = 0
    for index in text.unicodeScalars.indices {
      bytes += UTF8.width(text.unicodeScalars[index])
      if bytes > limit { break }
      end = text.unicodeScalars.index(after: index)
    }
    return end
  }
}
