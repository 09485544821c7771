/// Text made safe and even for a terminal.
enum TerminalText {
  /// Mail and list text comes from strangers: control characters (escape sequences among them)
  /// become spaces.
  static func clean(_ text: String) -> String {
    String(
      String.UnicodeScalarView(
        text.unicodeScalars.map { isControl($0) ? " " : $0 }))
  }

  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: true
    // Direction overrides could make a line read as something else.
    case .format: scalar.value != 0x200D
    default: false
    }
  }

  /// The text cut or filled to `width` columns, as well as columns can be told.
  static func column(_ text: String, width: Int) -> String {
    var cut = ""
    var used = 0
    for character in clean(text) {
      let columns = columns(of: character)
      if used + columns > width { break }
      cut.append(character)
      used += columns
    }
    return cut + String(repeating: " ", count: width - used)
  }

  static func right(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(0, width - text.count)) + text
  }

  static func bold(_ text: String) -> String {
    Output.hasColor ? "\u{1B}[1m\(text)\u{1B}[0m" : text
  }

  /// - Parameter color: of the 256-colour palette.
  static func colored(_ text: String, _ color: Int) -> String {
    Output.hasColor ? "\u{1B}[38;5;\(color)m\(text)\u{1B}[0m" : text
  }

  /// East Asian wide characters and emoji take two columns.
  private static func columns(of character: Character) -> Int {
    guard let scalar = character.unicodeScalars.first else { return 0 }
    switch scalar.value {
    case 0x1100...0x115F, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
      0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1FAFF, 0x20000...0x3FFFD:
      return 2
    default: return 1
    }
  }
}
