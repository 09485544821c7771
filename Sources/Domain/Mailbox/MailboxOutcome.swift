public import EventSourcing
public import FastJSON

/// What a mailbox tells a command's sender.
public enum MailboxOutcome: OutcomeEncodable {
  case done
  /// The new mail, or the old one where the mailbox knows it already.
  case delivered(MailID)
  case results(BulkResults<MailID>)
  case gesture(GestureOutcome)
  /// The command that was taken back, and what that did to each of its mails.
  indirect case undone(CommandID, BulkResults<MailID>)

  public func write(to writer: inout JSONWriter) {
    switch self {
    case .done:
      writer.beginObject()
      writer.endObject()
    case .delivered(let mail):
      writer.beginObject()
      writer.member("mail", mail)
      writer.endObject()
    case .results(let results):
      results.write(to: &writer, id: "mail")
    case .gesture(let outcome):
      outcome.write(to: &writer)
    case .undone(let command, let results):
      writer.beginObject()
      writer.member("undone", command.description)
      results.writeMembers(to: &writer, id: "mail")
      writer.endObject()
    }
  }
}
