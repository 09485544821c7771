internal import FastJSON

extension SwipeScope {
  /// Whether it is a single row.
  var isRow: Bool {
    if case .item = self { true } else { false }
  }

  init(_ fields: Fields) throws(FieldError) {
    guard fields.has("item") else {
      guard fields.has("section") else {
        throw FieldError("", "'section' or 'item' must be given")
      }
      self = .section(try fields.id("section"))
      return
    }
    guard !fields.has("section") else {
      throw FieldError("section", "must be left out where 'item' is given")
    }
    self = .item(try fields.id("item"))
  }

  func write(to writer: inout JSONWriter) {
    switch self {
    case .section(let section): writer.member("section", section)
    case .item(let item): writer.member("item", item)
    }
  }
}
