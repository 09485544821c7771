public import EventSourcing
internal import FastJSON

/// A mail on its way from another mailbox: its content with the state that it had there.
public struct MailArrival: Sendable, Equatable {
  /// With ``MailContent/origin``.
  public var content: MailContent
  /// Until when it sleeps; nil where it does not.
  public var until: Timestamp?

  public init(content: MailContent, until: Timestamp? = nil) {
    self.content = content
    self.until = until
  }

  init(_ fields: Fields) throws(FieldError) {
    content = try MailContent(fields)
    guard content.origin != nil else { throw FieldError("origin", "must be given") }
    until = fields.has("until") ? try fields.time("until") : nil
  }

  func writeMembers(to writer: inout JSONWriter) {
    content.writeMembers(to: &writer, nullDate: true)
    if let until { writer.member("until", until) }
  }
}

/// What the service is told of a mail that is being moved, before it moves it.
public struct LeavingMail: Sendable, Equatable {
  public let mail: MailID
  public let target: StreamID
  /// From this revision of its mailbox on its delivery is to be looked for.
  public let delivery: Revision
  public let read: Bool
  public let flagged: Bool
  public let archived: Bool
  public let pinned: Bool
  public let labels: [MailLabel]
  /// Until when it sleeps; nil where it does not.
  public let until: Timestamp?

  /// The mail as it is to arrive.
  ///
  /// - Parameter content: as it was delivered.
  func arrival(of content: MailContent, from stream: StreamID) -> MailArrival {
    var content = content
    content.read = read ? true : nil
    content.flagged = flagged ? true : nil
    content.trashed = nil
    content.archived = archived ? true : nil
    content.pinned = pinned ? true : nil
    content.labels = labels.isEmpty ? nil : labels
    content.thread = nil
    content.origin = MailOrigin(stream: stream, mail: mail)
    return MailArrival(content: content, until: until)
  }
}

extension LeavingMail {
  func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("mail", mail)
    writer.member("to", target.description)
    writer.key("delivery")
    writer.value(delivery.rawValue)
    writer.member("read", read)
    writer.member("flagged", flagged)
    writer.member("archived", archived)
    writer.member("pinned", pinned)
    writer.member("labels", ifGiven: labels.map(\.text))
    if let until { writer.member("until", until) }
    writer.endObject()
  }

  init(_ fields: Fields) throws(FieldError) {
    mail = try fields.id("mail")
    target = try fields.mailbox("to")
    delivery = Revision(UInt64(try fields.optionalCount("delivery") ?? 0))
    read = try fields.requiredBool("read")
    flagged = try fields.requiredBool("flagged")
    archived = try fields.requiredBool("archived")
    pinned = try fields.requiredBool("pinned")
    labels = try fields.optionalLabels("labels") ?? []
    until = fields.has("until") ? try fields.time("until") : nil
  }
}

extension Fields {
  /// A mailbox's name.
  func mailbox(_ key: StaticString) throws(FieldError) -> StreamID {
    guard let text = object[key]?.string, let stream = try? StreamID(text),
      stream.category == .mailbox
    else { throw FieldError(key, "must name a mailbox, as 'mailbox/archive'") }
    return stream
  }
}
