internal import CGMime

/// GMime, initialised once, with the options that every message is parsed with.
struct GMimeLibrary: @unchecked Sendable {
  /// Swift runs this once, whichever thread comes first.
  static let shared = GMimeLibrary()

  /// Never changed after `init`, so threads may share it.
  let options: OpaquePointer

  private init() {
    g_mime_init()
    options = g_mime_parser_options_new()
    // For header text with undeclared bytes, in this order.
    var charsets: [UnsafePointer<CChar>?] = [
      Self.lasting("utf-8"), Self.lasting("windows-1252"), nil,
    ]
    g_mime_parser_options_set_fallback_charsets(options, &charsets)
  }

  /// GMime copies the names; a static string outlives any doubt.
  private static func lasting(_ text: StaticString) -> UnsafePointer<CChar> {
    UnsafeRawPointer(text.utf8Start).assumingMemoryBound(to: CChar.self)
  }
}

/// A parsed message; released when it goes away.
final class ParsedMessage {
  let message: UnsafeMutablePointer<GMimeMessage>

  /// Nil where GMime finds no message in the bytes.
  init?(_ bytes: UnsafeRawBufferPointer) {
    let options = GMimeLibrary.shared.options
    guard let message = cgmime_parse_message(bytes.baseAddress, bytes.count, options) else {
      return nil
    }
    self.message = message
  }

  deinit { cgmime_unref_message(message) }

  /// The top-level content; nil for a message of headers only.
  var root: UnsafeMutablePointer<GMimeObject>? { g_mime_message_get_mime_part(message) }
}
