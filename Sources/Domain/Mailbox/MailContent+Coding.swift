internal import EventSourcing
internal import FastJSON

extension MailContent {
  /// In bytes: of `from`, `subject`, each address and each message id (RFC 5322 section 2.1.1
  /// allows a line no more).
  static let lineLimit = 998
  static let previewLimit = 512
  static let digestLimit = 128
  static let entryLimit = 1000

  init(_ fields: Fields) throws(FieldError) {
    self.init(
      from: try fields.string("from"),
      subject: try fields.string("subject"),
      message: try Self.preview(fields),
      date: try fields.nullableTime("date"),
      to: try fields.optionalStrings("to"),
      cc: try fields.optionalStrings("cc"),
      messageID: try fields.optionalString("messageID"),
      inReplyTo: try fields.optionalString("inReplyTo"),
      references: try fields.optionalStrings("references"),
      digest: try fields.optionalString("digest"),
      size: try fields.optionalCount("size"),
      read: try fields.optionalBool("read"),
      flagged: try fields.optionalBool("flagged"),
      answered: try fields.optionalBool("answered"),
      trashed: try fields.optionalBool("trashed"),
      archived: try fields.optionalBool("archived"),
      pinned: try fields.optionalBool("pinned"),
      labels: try fields.optionalLabels("labels"),
      thread: try fields.optionalID("thread"),
      origin: try MailOrigin(in: fields))
  }

  /// A whole message may come as `message`; what is cut off is not even copied.
  private static func preview(_ fields: Fields) throws(FieldError) -> String {
    guard let utf8 = fields.object["message"]?.utf8 else {
      throw FieldError("message", "must be a string")
    }
    // Twice the limit is enough to see where the character at the limit begins.
    return String(decoding: utf8.prefix(2 * previewLimit), as: UTF8.self)
      .shortened(to: previewLimit)
  }

  /// Checks the lengths that a command has to keep.
  func checkLengths() throws(FieldError) {
    try Self.check("from", from, 0...Self.lineLimit)
    try Self.check("subject", subject, 0...Self.lineLimit)
    try Self.check("to", to)
    try Self.check("cc", cc)
    try Self.check("messageID", messageID, 1...Self.lineLimit)
    try Self.check("inReplyTo", inReplyTo, 1...Self.lineLimit)
    try Self.check("references", references)
    try Self.check("digest", digest, 1...Self.digestLimit)
  }

  /// Checks what labels a command may give.
  func checkLabels() throws(FieldError) {
    guard let labels else { return }
    guard labels.count <= MailLabels.perMailLimit else {
      throw FieldError("labels", "must be at most \(MailLabels.perMailLimit) labels")
    }
    for label in labels { try label.check("labels") }
  }

  private static func check(
    _ key: StaticString, _ text: String?, _ range: ClosedRange<Int>
  ) throws(FieldError) {
    guard let text, !range.contains(text.utf8.count) else { return }
    throw FieldError(
      key,
      range.lowerBound == 0
        ? "must be at most \(range.upperBound) bytes"
        : "must be \(range.lowerBound) to \(range.upperBound) bytes")
  }

  private static func check(_ key: StaticString, _ texts: [String]?) throws(FieldError) {
    guard let texts else { return }
    guard texts.count <= entryLimit, texts.allSatisfy({ $0.utf8.count <= lineLimit }) else {
      throw FieldError(
        key, "must be at most \(entryLimit) strings of at most \(lineLimit) bytes each")
    }
  }

  /// Writes the fields given, as members of an object that was begun.
  ///
  /// - Parameter nullDate: whether a missing date is written as null rather than left out.
  func writeMembers(to writer: inout JSONWriter, nullDate: Bool) {
    writer.member("from", from)
    writer.member("subject", subject)
    writer.member("message", message)
    if let date {
      writer.key("date")
      writer.value(date)
    } else if nullDate {
      writer.key("date")
      writer.null()
    }
    writer.member("to", ifGiven: to)
    writer.member("cc", ifGiven: cc)
    writer.member("messageID", ifGiven: messageID)
    writer.member("inReplyTo", ifGiven: inReplyTo)
    writer.member("references", ifGiven: references)
    writer.member("digest", ifGiven: digest)
    if let size {
      writer.key("size")
      writer.value(size)
    }
    writer.member("read", ifGiven: read)
    writer.member("flagged", ifGiven: flagged)
    writer.member("answered", ifGiven: answered)
    writer.member("trashed", ifGiven: trashed)
    writer.member("archived", ifGiven: archived)
    writer.member("pinned", ifGiven: pinned)
    writer.member("labels", ifGiven: labels?.map(\.text))
    if let thread { writer.member("thread", thread) }
    guard let origin else { return }
    writer.key("origin")
    writer.beginObject()
    writer.member("stream", origin.stream.description)
    writer.member("mail", origin.mail)
    writer.endObject()
  }
}

extension MailOrigin {
  /// Nil where the field is absent.
  fileprivate init?(in fields: Fields) throws(FieldError) {
    guard let origin = try fields.nested("origin") else { return nil }
    do throws(FieldError) {
      guard let stream = try? StreamID(try origin.string("stream")) else {
        throw FieldError("stream", "must be a stream's name")
      }
      self.init(stream: stream, mail: try origin.id("mail"))
    } catch {
      throw error.within("origin")
    }
  }
}
