public import EventSourcing
internal import FastJSON

extension MailboxEvent {
  public init?(canonical event: EventView) {
    guard event.schema == 1 else { return nil }
    var reader = CanonicalReader(event.data)
    guard let event = Self.read(event.type, &reader), reader.take("}"), reader.isAtEnd else {
      return nil
    }
    self = event
  }

  /// - Returns: the event, if all but the closing brace is as it is written.
  @inline(__always)
  private static func read(
    _ type: UnsafeRawBufferPointer, _ reader: inout CanonicalReader
  ) -> MailboxEvent? {
    guard reader.take(#"{"mail":"#), let mail: MailID = reader.id() else { return nil }
    // By length first: few types share one.
    switch type.count {
    case 9 where type.equals("mail.read"): return .read(mail)
    case 11 where type.equals("mail.unread"): return .unread(mail)
    case 11 where type.equals("mail.purged"): return .purged(mail, nil)
    case 11 where type.equals("mail.pinned"): return .pinned(mail)
    case 12 where type.equals("mail.flagged"): return .flagged(mail)
    case 12 where type.equals("mail.trashed"): return .trashed(mail)
    case 12 where type.equals("mail.labeled"): return reader.label().map { .labeled(mail, $0) }
    case 13 where type.equals("mail.restored"): return .restored(mail)
    case 13 where type.equals("mail.archived"): return .archived(mail)
    case 13 where type.equals("mail.unpinned"): return .unpinned(mail)
    case 14 where type.equals("mail.unflagged"): return .unflagged(mail)
    case 14 where type.equals("mail.delivered"):
      return MailContent(&reader).map { .delivered(mail, $0) }
    case 14 where type.equals("mail.unlabeled"):
      return reader.label().map { .unlabeled(mail, $0) }
    case 15 where type.equals("mail.unarchived"): return .unarchived(mail)
    case 10 where type.equals("mail.moved"):
      return reader.target().flatMap { target in
        reader.take(#","as":"#) ? reader.id().map { .moved(mail, to: target, as: $0) } : nil
      }
    case 19 where type.equals("mail.move-requested"):
      return reader.target().map { .moveRequested(mail, to: $0) }
    case 14 where type.equals("mail.reordered"):
      return .reordered(mail, after: reader.anchor())
    default: return nil
    }
  }
}

extension CanonicalReader {
  /// The mailbox that a mail goes to.
  fileprivate mutating func target() -> StreamID? {
    guard let text = text(behind: #","to":"#), let stream = try? StreamID(text),
      stream.category == .mailbox
    else { return nil }
    return stream
  }

  fileprivate mutating func label() -> MailLabel? {
    text(behind: #","label":"#).flatMap { MailLabel($0) }
  }
}
