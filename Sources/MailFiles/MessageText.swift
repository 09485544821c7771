internal import CGMime

/// Finds the text of a message for its preview.
struct MessageText {
  private typealias Object = UnsafeMutablePointer<GMimeObject>

  /// Bytes of a part's text that are looked at; HTML mails begin with long style sheets.
  private static let textLimit = 32 << 10
  private static let htmlLimit = 512 << 10
  private static let depthLimit = 100

  private var plain = ""
  private var html = ""
  private var embedded: [Object] = []

  static func preview(_ message: ParsedMessage) -> String {
    var roots = message.root.map { [$0] } ?? []
    // Level by level: the message itself, then the messages in it.
    for _ in 0..<depthLimit where !roots.isEmpty {
      var text = MessageText()
      for root in roots where text.plain.isEmpty { text.visit(root, depth: 0) }
      if !text.plain.isEmpty { return text.plain }
      if !text.html.isEmpty { return text.html }
      roots = text.embedded
    }
    return ""
  }

  private mutating func visit(_ object: Object, depth: Int) {
    guard depth < Self.depthLimit, plain.isEmpty else { return }
    switch cgmime_object_kind(object) {
    case CGMIME_KIND_MULTIPART:
      for index in 0..<max(0, cgmime_multipart_count(object)) {
        if let child = cgmime_multipart_child(object, index) { visit(child, depth: depth + 1) }
      }
    case CGMIME_KIND_MESSAGE:
      if let root = cgmime_embedded_root(object) { embedded.append(root) }
    case CGMIME_KIND_PART: visitLeaf(object)
    default: break
    }
  }

  private mutating func visitLeaf(_ part: Object) {
    let type = g_mime_object_get_content_type(part)
    let isPlain = g_mime_content_type_is_type(type, "text", "plain") != 0
    let isHTML = g_mime_content_type_is_type(type, "text", "html") != 0
    guard isPlain || isHTML && html.isEmpty, !isAttachment(part) else { return }
    let charset = g_mime_content_type_get_parameter(type, "charset").map { String(cString: $0) }
    let limit = isPlain ? Self.textLimit : Self.htmlLimit
    let text = TextDecoding.text(content(part, limit: limit), charset: charset)
    if isPlain {
      plain = tidy(text)
    } else {
      html = tidy(HTMLText.text(text, limit: Self.textLimit))
    }
  }

  private func isAttachment(_ part: Object) -> Bool {
    guard let disposition = g_mime_object_get_disposition(part) else { return false }
    return g_ascii_strcasecmp(disposition, "attachment") == 0
  }

  private func content(_ part: Object, limit: Int) -> [UInt8] {
    guard let content = cgmime_part_content(part) else { return [] }
    defer { g_byte_array_unref(content) }
    let bytes = UnsafeBufferPointer(start: content.pointee.data, count: Int(content.pointee.len))
    guard bytes.count > limit else { return Array(bytes) }
    // Not within a UTF-8 character, so that whole UTF-8 stays valid.
    let tail = bytes[..<limit].reversed().prefix(3).prefix { $0 & 0xC0 == 0x80 }.count
    return Array(bytes[..<(limit - tail - 1)])
  }

  private func tidy(_ text: String) -> String {
    TextTidy.line(text, limit: TextTidy.previewLimit, collapsing: true)
  }
}
