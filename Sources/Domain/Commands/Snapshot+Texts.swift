internal import EventSourcing

extension SnapshotWriter {
  /// A text in UTF-8 behind its length.
  mutating func text(_ text: String) {
    number(text.utf8.count)
    raw(text.utf8)
  }

  /// A truth value that says whether there is one, then the text.
  mutating func text(nullable text: String?) {
    bool(text != nil)
    if let text { self.text(text) }
  }
}

extension SnapshotReader {
  mutating func text() throws(SnapshotDecodingError) -> String {
    guard let text = String(validating: try counted(), as: UTF8.self) else {
      throw SnapshotDecodingError("a text is not UTF-8")
    }
    return text
  }

  mutating func nullableText() throws(SnapshotDecodingError) -> String? {
    try bool() ? text() : nil
  }
}
