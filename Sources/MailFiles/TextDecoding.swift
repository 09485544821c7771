internal import CGMime
import Glibc

/// Turns a part's bytes into text.
enum TextDecoding {
  /// By the declared charset; what cannot be decoded is U+FFFD. Where the charset is absent,
  /// unknown, or the bytes contradict it: UTF-8 if they are valid as that, else Windows-1252.
  static func text(_ bytes: [UInt8], charset: String?) -> String {
    let declared = charset?.lowercased() ?? ""
    if declared == "utf-8" || declared == "utf8" { return String(decoding: bytes, as: UTF8.self) }
    if let name = iconvName(declared), let converter = Converter(from: name) {
      let result = converter.convert(bytes)
      if result.isClean { return result.text }
      return String(validating: bytes, as: UTF8.self) ?? result.text
    }
    if let text = String(validating: bytes, as: UTF8.self) { return text }
    return Converter(from: "windows-1252")?.convert(bytes).text
      ?? String(decoding: bytes, as: UTF8.self)
  }

  private static func iconvName(_ charset: String) -> String? {
    let isPlain = charset.utf8.allSatisfy {
      $0 | 0x20 >= UInt8(ascii: "a") && $0 | 0x20 <= UInt8(ascii: "z") || $0.isDigit
        || "-_.:".utf8.contains($0)
    }
    guard !charset.isEmpty, charset.utf8.count <= 40, isPlain else { return nil }
    switch charset {
    case "us-ascii", "ascii", "unknown-8bit", "x-unknown": return nil
    // Mail that says Latin-1 and has bytes 0x80–0x9F means the Windows superset (WHATWG Encoding).
    case "iso-8859-1", "latin1", "iso8859-1": return "windows-1252"
    default: return g_mime_charset_iconv_name(charset).map { String(cString: $0) }
    }
  }
}

/// An open iconv conversion to UTF-8.
private final class Converter {
  private let handle: iconv_t

  init?(from charset: String) {
    guard let handle = iconv_open("UTF-8", charset), handle != iconv_t(bitPattern: -1) else {
      return nil
    }
    self.handle = handle
  }

  deinit { iconv_close(handle) }

  func convert(_ bytes: [UInt8]) -> (text: String, isClean: Bool) {
    var bytes = bytes
    var output: [UInt8] = []
    var isClean = true
    var chunk = [CChar](repeating: 0, count: 16 << 10)
    bytes.withUnsafeMutableBytes { input in
      var next = input.baseAddress?.assumingMemoryBound(to: CChar.self)
      var left = input.count
      while left > 0 {
        let (stop, produced) = step(&next, &left, &chunk)
        output.append(contentsOf: chunk[..<produced].lazy.map { UInt8(bitPattern: $0) })
        guard stop == EILSEQ else {
          if stop == 0 || stop == E2BIG { continue }
          break  // EINVAL: the text ends in mid-character.
        }
        isClean = false
        output.append(contentsOf: "\u{FFFD}".utf8)
        next = next?.advanced(by: 1)
        left -= 1
      }
    }
    return (String(decoding: output, as: UTF8.self), isClean)
  }

  /// The errno that ended the step (0 when the input is used up) and the bytes it produced.
  private func step(
    _ next: inout UnsafeMutablePointer<CChar>?, _ left: inout Int, _ chunk: inout [CChar]
  ) -> (stop: Int32, produced: Int) {
    chunk.withUnsafeMutableBufferPointer { chunk in
      var out = chunk.baseAddress
      var room = chunk.count
      let failed = iconv(handle, &next, &left, &out, &room) == -1
      return (failed ? errno : 0, chunk.count - room)
    }
  }
}
