/// Takes the markup out of HTML in one pass, for a preview; not a parser for anything else.
struct HTMLText {
  private let source: [UInt8]
  private var position = 0
  private var output: [UInt8] = []

  /// Elements that do not part words.
  private static let inline: Set<String> = [
    "a", "abbr", "b", "bdi", "big", "cite", "code", "del", "em", "font", "i", "ins", "label",
    "mark", "q", "s", "small", "span", "strike", "strong", "sub", "sup", "tt", "u", "wbr",
  ]
  /// Elements whose content is not the mail's text.
  private static let hidden: Set<String> = ["style", "script", "title"]

  /// The text of `html`, at most `limit` bytes before white space is collapsed.
  static func text(_ html: String, limit: Int) -> String {
    var reader = HTMLText(source: Array(html.utf8))
    return reader.read(limit: limit)
  }

  private init(source: [UInt8]) { self.source = source }

  private mutating func read(limit: Int) -> String {
    while position < source.count, output.count < limit {
      switch source[position] {
      case UInt8(ascii: "<"): readMarkup()
      case UInt8(ascii: "&"): readReference()
      case let byte:
        let isBlank = byte == 0x20 || (0x09...0x0D).contains(byte)
        if isBlank { appendBlank() } else { output.append(byte) }
        position += 1
      }
    }
    return String(decoding: output, as: UTF8.self)
  }

  private mutating func appendBlank() {
    if output.last != 0x20 { output.append(0x20) }
  }

  private mutating func readMarkup() {
    if has("<!--") {
      skip(past: "-->")
      return
    }
    var start = position + 1
    let isClosing = start < source.count && source[start] == UInt8(ascii: "/")
    if isClosing { start += 1 }
    guard start < source.count, Self.isLetter(source[start]) || "!?".utf8.contains(source[start])
    else {
      output.append(source[position])
      position += 1
      return
    }
    let nameEnd = source[start...].firstIndex { !Self.isLetter($0) && !$0.isDigit }
    let name = String(decoding: source[start..<(nameEnd ?? source.count)].prefix(16), as: UTF8.self)
      .lowercased()
    skipTag()
    if Self.hidden.contains(name), !isClosing { skip(past: "</\(name)") }
    if !Self.inline.contains(name) { appendBlank() }
  }

  /// Goes behind the tag's `>`; one within a quoted attribute value does not end it.
  private mutating func skipTag() {
    var quote: UInt8?
    var previous: UInt8 = 0
    while position < source.count {
      let byte = source[position]
      position += 1
      if let open = quote {
        if byte == open { quote = nil }
      } else if byte == UInt8(ascii: ">") {
        return
      } else if previous == UInt8(ascii: "="), byte == 0x22 || byte == 0x27 {
        quote = byte
      }
      if byte != 0x20 { previous = byte }
    }
  }

  private func has(_ text: StaticString) -> Bool {
    text.withUTF8Buffer { source[position...].starts(with: $0) }
  }

  /// Goes behind the next `end`, in any letter case, or to the end of the source.
  private mutating func skip(past end: String) {
    let end = Array(end.utf8)
    while position < source.count {
      if source[position] == end[0],
        source[position...].prefix(end.count).elementsEqual(end, by: { Self.lower($0) == $1 })
      {
        position += end.count
        // The rest of a closing tag; it ends with `>` already after a comment.
        if end.last != UInt8(ascii: ">") { skipTag() }
        return
      }
      position += 1
    }
  }

  private static func lower(_ byte: UInt8) -> UInt8 {
    byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    lower(byte) >= 0x61 && lower(byte) <= 0x7A
  }
}

extension HTMLText {
  private static let references: [String: String] = [
    "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": " ", "copy": "©",
    "reg": "®", "trade": "™", "euro": "€", "pound": "£", "cent": "¢", "yen": "¥", "sect": "§",
    "deg": "°", "middot": "·", "bull": "•", "hellip": "…", "ndash": "–", "mdash": "—",
    "lsquo": "‘", "rsquo": "’", "ldquo": "“", "rdquo": "”", "laquo": "«", "raquo": "»",
    "auml": "ä", "ouml": "ö", "uuml": "ü", "Auml": "Ä", "Ouml": "Ö", "Uuml": "Ü", "szlig": "ß",
    "eacute": "é", "egrave": "è", "agrave": "à", "aacute": "á", "ccedil": "ç", "ntilde": "ñ",
    "shy": "", "zwnj": "", "zwj": "\u{200D}",
  ]

  /// Reads `&name;`, `&#10;` or `&#x10;`; anything else is text.
  private mutating func readReference() {
    let rest = source[(position + 1)...].prefix(12)
    if let end = rest.firstIndex(of: UInt8(ascii: ";")),
      let text = Self.meaning(String(decoding: rest[..<end], as: UTF8.self))
    {
      output.append(contentsOf: text.utf8)
      position = end + 1
    } else {
      output.append(source[position])
      position += 1
    }
  }

  private static func meaning(_ name: String) -> String? {
    guard name.first == "#" else { return references[name] }
    let isHex = name.dropFirst().first == "x" || name.dropFirst().first == "X"
    let digits = name.dropFirst(isHex ? 2 : 1)
    guard let value = UInt32(digits, radix: isHex ? 16 : 10) else { return nil }
    return Unicode.Scalar(value).map { String(Character($0)) } ?? "\u{FFFD}"
  }
}
