internal import EventSourcing
internal import FastJSON

extension MailContent {
  /// The members behind `mail` as ``writeMembers(to:nullDate:)`` gives them; nil where one is in
  /// another form, or is a list.
  init?(_ reader: inout CanonicalReader) {
    guard let from = reader.text(behind: #","from":"#),
      let subject = reader.text(behind: #","subject":"#),
      let message = reader.text(behind: #","message":"#),
      // A longer one is cut when it is read.
      message.utf8.count <= Self.previewLimit
    else { return nil }
    self.init(from: from, subject: subject, message: message)
    if reader.take(#","date":"#) {
      guard let text = reader.plainText(),
        let date = Timestamp(String(decoding: text, as: UTF8.self)),
        Timestamp.writable.contains(date)
      else { return nil }
      self.date = date
    }
    messageID = reader.text(behind: #","messageID":"#)
    inReplyTo = reader.text(behind: #","inReplyTo":"#)
    digest = reader.text(behind: #","digest":"#)
    if reader.take(#","size":"#) {
      guard let size = reader.number() else { return nil }
      self.size = size
    }
    read = reader.bool(behind: #","read":"#)
    flagged = reader.bool(behind: #","flagged":"#)
    answered = reader.bool(behind: #","answered":"#)
    trashed = reader.bool(behind: #","trashed":"#)
    archived = reader.bool(behind: #","archived":"#)
    pinned = reader.bool(behind: #","pinned":"#)
    if reader.take(#","thread":"#) {
      guard let thread: MailID = reader.id() else { return nil }
      self.thread = thread
    }
  }
}
