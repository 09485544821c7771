internal import EventSourcing
internal import FastJSON

extension DragCommand {
  var name: String {
    switch self {
    case .begin: "drag-begin"
    case .over: "drag-over"
    case .drop: "drop"
    case .cancel: "drag-cancel"
    }
  }

  /// Nil where the name is another command's.
  init?(_ name: JSONText, _ fields: Fields) throws(FieldError) {
    switch name {
    case "drag-begin":
      try fields.allowOnly(.dragBegin)
      self = .begin(
        try fields.id("item"), session: fields.has("session") ? try fields.session() : nil)
    case "drag-over":
      try fields.allowOnly(.dragPlace)
      self = .over(try fields.session(), try DragPlace(fields, try Anchor(fields)))
    case "drop":
      try fields.allowOnly(.dragPlace)
      let anchor = try Anchor<ItemID>(optional: fields)
      guard anchor != nil || !fields.has("section") else {
        throw FieldError(
          "section", "must come with one of 'after', 'before', 'first' and 'last'")
      }
      self = .drop(
        try fields.session(),
        try anchor.map { anchor throws(FieldError) in try DragPlace(fields, anchor) })
    case "drag-cancel":
      try fields.allowOnly(.dragSession)
      self = .cancel(try fields.session())
    default: return nil
    }
  }

  /// Writes the command as members of an object that was begun.
  func writeMembers(to writer: inout JSONWriter) {
    switch self {
    case .begin(let item, let session):
      writer.member("item", item)
      writer.member("session", ifGiven: session?.description)
    case .over(let session, let place):
      writer.member("session", session.description)
      place.writeMembers(to: &writer)
    case .drop(let session, let place):
      writer.member("session", session.description)
      place?.writeMembers(to: &writer)
    case .cancel(let session):
      writer.member("session", session.description)
    }
  }
}

extension DragPlace {
  fileprivate init(_ fields: Fields, _ anchor: Anchor<ItemID>) throws(FieldError) {
    self.init(section: try fields.optionalID("section"), anchor)
  }

  fileprivate func writeMembers(to writer: inout JSONWriter) {
    if let section { writer.member("section", section) }
    anchor.write(to: &writer)
  }
}

extension Fields {
  fileprivate func session() throws(FieldError) -> CommandID {
    guard let text = object["session"]?.text, let session = CommandID(utf8: text.utf8) else {
      throw FieldError(
        "session",
        "must be a drag's name, 1 to \(CommandID.lengthLimit) printable ASCII characters")
    }
    return session
  }
}
