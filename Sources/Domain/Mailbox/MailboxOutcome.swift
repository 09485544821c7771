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

  /// Where mails are to go, and for a bulk command which. What becomes of them is told by `result`.
  indirect case moving(to: StreamID, BulkResults<MailID>?)
  /// For the service only.
  indirect case leaving([LeavingMail])

  /// Of a bulk command.
  var results: BulkResults<MailID>? {
    if case .results(let results) = self { results } else { nil }
  }

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
    case .moving(let target, let results):
      writer.beginObject()
      writer.member("to", target.description)
      results?.writeMembers(to: &writer, id: "mail")
      writer.endObject()
    case .leaving(let mails):
      writer.beginObject()
      writer.key("leaving")
      writer.beginArray()
      for mail in mails { mail.write(to: &writer) }
      writer.endArray()
      writer.endObject()
    case .undone(let command, let results):
      writer.beginObject()
      writer.member("undone", command.description)
      results.writeMembers(to: &writer, id: "mail")
      writer.endObject()
    }
  }

  /// Whether an outcome is that of a `move`, whose consequences come later.
  public static func isOfMove(_ outcome: [UInt8]) -> Bool {
    outcome.starts(with: #"{"to":"mailbox/"#.utf8)
  }
}
