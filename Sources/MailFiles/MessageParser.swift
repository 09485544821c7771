/// Makes a `MailMessage` of a message's raw bytes.
enum MessageParser {
  /// Bytes of a message that are read at most; a longer one is passed over.
  static let sizeLimit = 64 << 20
  static let tooLong = "message longer than 64 MiB"
  static let unreadable = "not a mail that can be parsed"

  enum Container {
    case mbox
    case file(MailFlags)
  }

  /// Nil where there is nothing in the bytes that could be a message.
  static func parse(
    _ bytes: UnsafeRawBufferPointer, fromLine: [UInt8], container: Container
  ) -> MailMessage? {
    guard let parsed = GMimeInput(bytes).withBytes({ ParsedMessage($0) }),
      let fields = HeaderFields(parsed)
    else { return nil }
    var message = MailMessage(
      from: fields.sender, to: fields.recipients("To"), cc: fields.recipients("Cc"),
      subject: TextTidy.line(fields["Subject"] ?? ""), preview: MessageText.preview(parsed),
      date: date(fields, fromLine), messageID: fields.messageID("Message-ID"),
      inReplyTo: fields.messageID("In-Reply-To"), references: fields.messageIDs("References"),
      digest: MailDigest.digest(bytes), size: bytes.count,
      isRead: false, isFlagged: false, isAnswered: false, isTrashed: false)
    switch container {
    case .file(let flags): message.apply(flags)
    case .mbox:
      message.apply(
        MailFlags(
          status: fields["Status"], xStatus: fields["X-Status"],
          mozilla: fields["X-Mozilla-Status"]))
    }
    return message
  }

  private static func date(_ fields: HeaderFields, _ fromLine: [UInt8]) -> String? {
    if let header = fields["Date"] { return MailDate(header: header)?.timestamp }
    return FromLine.date(fromLine)?.timestamp
  }
}
